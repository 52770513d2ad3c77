import { posix } from 'node:path';

import type { Organization } from './organization.ts';

/** A package.json as plain data. */
export type ManifestData = Readonly<Record<string, unknown>>;

/** Keywords of each package for searches of the registry, besides those that all packages share. */
const keywords: Readonly<Record<string, readonly string[]>> = {
  demo: ['cli', 'mcp-server', 'coding-agent'],
  'ai-sdk': ['ai-sdk', 'vercel-ai', 'language-model'],
  'create-haft': ['create', 'scaffold', 'starter', 'mcp-server'],
  builtins: ['coding-agent', 'filesystem', 'edit', 'grep', 'bash'],
  core: ['dispatcher', 'tool-registry', 'validation'],
  'dynamic-tools': ['plugins', 'hot-reload', 'plugin-loader'],
  jobs: ['durable-execution', 'job-queue', 'postgresql', 'pglite'],
  journal: ['undo', 'file-changes', 'history'],
  mcp: ['mcp', 'model-context-protocol', 'mcp-client', 'mcp-server'],
  otel: ['opentelemetry', 'tracing', 'gen-ai', 'observability'],
  permission: ['permissions', 'approval', 'human-in-the-loop', 'shell'],
  repair: ['json-repair', 'tool-call-parser', 'malformed-json', 'streaming-json'],
  runner: ['agent-loop', 'agent-framework'],
  sandbox: ['sandbox', 'bubblewrap', 'process-tree', 'path-traversal'],
  schema: ['json-schema', 'standard-schema', 'zod', 'validation'],
  store: ['sqlite', 'postgresql', 'document-store'],
  toolkit: ['toolkit', 'mcp', 'plugins'],
  workbench: ['developer-tools', 'inspector', 'approval', 'mcp'],
};
const commonKeywords = ['ai', 'agent', 'llm', 'tool-calling', 'function-calling'];

/**
 * Returns the manifest of a published folder, such as `packages/core`, with the fields that all published packages share: keywords, addresses and
 * what npm promises about the package. Its other fields, and their order, stay.
 *
 * Throws an `Error` when the package has no keywords here.
 */
export function withSharedFields(folder: string, manifest: ManifestData, organization: Organization): ManifestData {
  const own = keywords[posix.basename(folder)];
  if (own === undefined) throw new Error(`Add keywords for ${folder} to tooling/release/src/shared-fields.ts`);
  const { name, version, description, license, author, publishConfig, ...rest } = manifest;
  const {
    keywords: _keywords,
    homepage: _homepage,
    bugs: _bugs,
    repository: _repository,
    funding: _funding,
    ...others
  } = rest;
  const { files, type, ...last } = others;
  return {
    name,
    version,
    description,
    keywords: [...commonKeywords, ...own].toSorted(),
    homepage: `${organization.homepage}/${folder}#readme`,
    bugs: { url: `${organization.repository}/issues` },
    license,
    author,
    repository: { type: 'git', url: `git+${organization.repository}.git`, directory: folder },
    funding: organization.funding,
    files,
    type,
    ...withPublishConfig(last, { ...(publishConfig as object), access: 'public', provenance: true }),
  };
}

/** `publishConfig` remains after `exports`. */
function withPublishConfig(fields: ManifestData, publishConfig: object): ManifestData {
  const { sideEffects, exports, bin, ...others } = fields;
  return {
    ...(sideEffects !== undefined && { sideEffects }),
    ...(bin !== undefined && { bin }),
    ...(exports !== undefined && { exports }),
    publishConfig,
    ...others,
  };
}
