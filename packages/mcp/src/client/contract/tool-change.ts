import { computeFileDiff } from '@haft/sandbox';
import { cleanLine } from '../../untrusted/clean-text.ts';
import type { SanitizedTool } from '../../untrusted/sanitized-tool.ts';

/** A server's definition of a tool, after sanitizing. */
export interface RemoteToolDefinition {
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema: Readonly<Record<string, unknown>> | undefined;
  /** The server's hints, such as `readOnlyHint`. They have no effect, but changing one counts as a change. */
  readonly annotations: Readonly<Record<string, boolean>>;
}

/** A change of a trusted tool's definition. */
export interface ToolChange {
  /** Registered name of the tool. */
  readonly tool: string;
  /** Name of the tool on the server. */
  readonly remoteName: string;
  /** The changed fields; `name` if another tool of the server now has this registered name. */
  readonly fields: readonly ('name' | keyof RemoteToolDefinition)[];
  readonly before: RemoteToolDefinition;
  readonly after: RemoteToolDefinition;
  /** The change as a unified diff, for the user to review. */
  readonly diff: string;
}

const fields = ['title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;

/** Compares a tool's definition with the trusted one. */
export function describeChange(tool: string, before: SanitizedTool, after: SanitizedTool): ToolChange {
  const changed = fields.filter((field) => canonicalJson(before[field]) !== canonicalJson(after[field]));
  const { patch } = computeFileDiff({ path: tool, before: renderDefinition(before), after: renderDefinition(after) });
  return {
    tool,
    remoteName: cleanLine(after.remoteName, 200),
    fields: before.remoteName === after.remoteName ? changed : ['name', ...changed],
    before: definitionOf(before),
    after: definitionOf(after),
    diff: patch,
  };
}

/** Serializes a value as JSON with sorted keys, so that key order makes no difference. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

function definitionOf({
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
}: SanitizedTool): RemoteToolDefinition {
  return { title, description, inputSchema, outputSchema, annotations };
}

function renderDefinition(tool: SanitizedTool): string {
  const { remoteName, title, description, ...rest } = tool;
  const data = fields
    .slice(2)
    .map((field) => `${field}: ${JSON.stringify(rest[field as 'inputSchema'], undefined, 2)}`);
  return `${[`name: ${JSON.stringify(cleanLine(remoteName, 200))}`, `title: ${title}`, 'description:', description, ...data].join('\n')}\n`;
}
