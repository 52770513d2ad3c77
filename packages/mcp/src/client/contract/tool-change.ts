import { computeFileDiff } from '@haft/sandbox';
import { cleanLine } from '../../untrusted/clean-text.ts';
import type { SanitizedTool } from './sanitized-tool.ts';

/** What a server says of a tool, freed of what is hidden, as a model would be told. */
export interface RemoteToolDefinition {
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema: Readonly<Record<string, unknown>> | undefined;
  /** Its claims about itself, such as `readOnlyHint`. They count for nothing here, but a change of them is a change. */
  readonly annotations: Readonly<Record<string, boolean>>;
}

/** A tool that a server describes in another way than when it was trusted. */
export interface ToolChange {
  /** Name of the tool here. */
  readonly tool: string;
  /** The server's own name of it. */
  readonly remoteName: string;
  /** What differs; `name` when another of the server's tools now has the name. */
  readonly fields: readonly ('name' | keyof RemoteToolDefinition)[];
  readonly before: RemoteToolDefinition;
  readonly after: RemoteToolDefinition;
  /** What differs as a unified diff, for a person to decide by. */
  readonly diff: string;
}

const fields = ['title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;

/** Sets what a server says now beside what it said when the tool was trusted. */
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

/** The same text for values that differ in nothing but the order of their members. */
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
