import { ProtocolError, type ReadResourceResult, type Server } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { SkillDirectory } from './open-skill-directory.ts';

/** Name of the protocol's skills extension. */
export const skillsExtension = 'io.modelcontextprotocol/skills';

const invalidParams = -32_602;
const internalError = -32_603;
const directoryType = 'inode/directory';
const atAddress = z.looseObject({ uri: z.string() });
const listing = z.looseObject({ cursor: z.string().optional() }).optional();

/** Directories change, so clients must not cache lists. */
const uncached = { ttlMs: 0, cacheScope: 'private' } as const;

/** Handles skill requests of clients, except `resources/read`. */
export function serveSkills(
  server: Server,
  directory: SkillDirectory,
  isModern: () => boolean,
  onWarning: (error: Error) => void,
): void {
  const cache = (): object => (isModern() ? uncached : {});
  server.setRequestHandler('skills/list', { params: listing }, async () => {
    await directory.reload().catch((cause: unknown) => {
      // The cause may hold host paths, so only the host gets it.
      onWarning(new Error('listing skills failed', { cause }));
      throw new ProtocolError(internalError, 'listing skills failed');
    });
    return { skills: [...directory.entries], ...cache() };
  });
  server.setRequestHandler('skills/get', { params: atAddress }, ({ uri }) => {
    const skill = directory.entries.find((entry) => entry.uri === uri);
    if (!skill) throw new ProtocolError(invalidParams, 'skill not found', { uri });
    return { skill, ...cache() };
  });
  server.setRequestHandler('resources/directory/read', { params: atAddress }, ({ uri }) => {
    const resources = childrenOf(directory, uri.replace(/\/$/, ''));
    if (resources.length === 0) throw new ProtocolError(invalidParams, 'skill directory not found', { uri });
    return { resources, ...cache() };
  });
}

/** Reads a file of a skill for a client. Resolves to undefined for any other URI. */
export async function readSkillFile(directory: SkillDirectory, uri: string): Promise<ReadResourceResult | undefined> {
  const bytes = await directory.read(uri);
  if (bytes === undefined) return undefined;
  const mimeType = typeOf(uri);
  const text = mimeType === otherType ? undefined : textOf(bytes);
  const body = text === undefined ? { blob: Buffer.from(bytes).toString('base64') } : { text };
  return { contents: [{ uri, mimeType, ...body }] };
}

interface Child {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
  readonly size?: number;
}

function childrenOf({ entries }: SkillDirectory, parent: string): readonly Child[] {
  const children = new Map<string, Child>();
  for (const { resources } of entries)
    for (const { uri, size } of resources === 'dynamic' ? [] : resources) {
      if (!uri.startsWith(`${parent}/`)) continue;
      const [first = '', ...deeper] = uri.slice(parent.length + 1).split('/');
      const name = decodeURIComponent(first);
      const at = `${parent}/${first}`;
      children.set(
        at,
        deeper.length > 0 ? { uri: at, name, mimeType: directoryType } : { uri, name, mimeType: typeOf(uri), size },
      );
    }
  return [...children.values()];
}

const otherType = 'application/octet-stream';
const types: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  txt: 'text/plain',
  csv: 'text/csv',
  html: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
  mjs: 'text/javascript',
  ts: 'text/x-typescript',
  py: 'text/x-python',
  sh: 'text/x-shellscript',
  json: 'application/json',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  toml: 'application/toml',
  xml: 'application/xml',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  pdf: 'application/pdf',
};

function typeOf(uri: string): string {
  const ending = /\.([a-z0-9]+)$/i.exec(uri)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(types, ending) ? (types[ending] ?? otherType) : otherType;
}

/** Decodes UTF-8. Returns undefined if the bytes are not valid text. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
