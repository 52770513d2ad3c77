import { defineTool, eraseTool, type AnyTool, type Availability, type ToolContext, type ToolResult } from '@haft/core';
import { compileSchema, type CompiledSchema } from '@haft/schema';
import { cleanLine, cleanText, cutBytes } from './clean-text.ts';
import type { Report } from './connection-report.ts';
import type { RemoteTool } from './list-remote-tools.ts';

/** How much of a tool's description is taken in. */
export interface RemoteToolLimits {
  readonly maxDescriptionBytes: number;
  readonly maxSchemaBytes: number;
  /** Milliseconds a call may take in all, however much progress it reports. */
  readonly maxTotalMs: number;
}

/** What a remote tool needs of its connection. */
export interface RemoteToolHost {
  readonly connection: string;
  readonly limits: RemoteToolLimits;
  readonly report: Report;
  available(): Availability;
  call(
    remote: RemoteTool,
    output: CompiledSchema | undefined,
    args: unknown,
    context: ToolContext,
  ): Promise<ToolResult>;
}

/**
 * Makes a tool of a server's description. Whatever the server says of itself, the tool counts as destructive, not to be
 * repeated, reaching the open world, and runs alone. `undefined`, with a diagnostic, for a tool that can't be used.
 */
export function createRemoteTool(remote: RemoteTool, name: string, host: RemoteToolHost): AnyTool | undefined {
  const { limits, report, connection } = host;
  const shown = cleanLine(remote.name, 80);
  const schemaBytes = Buffer.byteLength(JSON.stringify(remote.inputSchema));
  if (schemaBytes > limits.maxSchemaBytes) {
    report({
      kind: 'large-schema',
      tool: remote.name,
      message: `${shown} was left out: its input schema has ${schemaBytes} bytes; at most ${limits.maxSchemaBytes} are taken`,
    });
    return undefined;
  }
  const output = compileOutput(remote, limits);
  try {
    return eraseTool(
      defineTool({
        name,
        naming: 'wire',
        title: titleOf(remote, shown),
        description: describe(remote, host),
        input: cleanSchema(remote.inputSchema) as Readonly<Record<string, unknown>>,
        kind: 'other',
        traits: {
          readOnly: false,
          destructive: true,
          idempotent: false,
          openWorld: true,
          pure: false,
          sideEffects: 'external',
        },
        parallelizable: false,
        timeoutMs: limits.maxTotalMs,
        available: () => host.available(),
        initialTitle: () => `${shown} on MCP server ${connection}`,
        execute: (args, context) => host.call(remote, output, args, context),
      }),
    );
  } catch (error) {
    report({
      kind: 'invalid-tool',
      tool: remote.name,
      message: `${shown} was left out: ${cleanLine(error instanceof Error ? error.message : String(error), 300)}`,
    });
    return undefined;
  }
}

function titleOf(remote: RemoteTool, fallback: string): string {
  const annotated = (remote.annotations as { readonly title?: unknown } | null | undefined)?.title;
  const title = typeof remote.title === 'string' ? remote.title : typeof annotated === 'string' ? annotated : '';
  return cleanLine(title, 100) || fallback;
}

function describe(remote: RemoteTool, host: RemoteToolHost): string {
  const { limits, report, connection } = host;
  const given = typeof remote.description === 'string' ? remote.description : '';
  const cleaned = cleanText(given).trim();
  const cut = cutBytes(cleaned, limits.maxDescriptionBytes);
  if (cut !== given.trim()) {
    const message = `the description of ${cleanLine(remote.name, 80)} was ${cut === cleaned ? 'freed of hidden characters' : `cut to ${limits.maxDescriptionBytes} bytes`}`;
    report({ kind: 'changed-description', tool: remote.name, message });
  }
  return `[text of the MCP server ${connection}, untrusted] ${cut === '' ? cleanLine(remote.name, 80) : cut}`;
}

/** An output schema that can't be compiled is as good as none. */
function compileOutput(remote: RemoteTool, limits: RemoteToolLimits): CompiledSchema | undefined {
  const { outputSchema } = remote;
  if (typeof outputSchema !== 'object' || outputSchema === null) return undefined;
  if (Buffer.byteLength(JSON.stringify(outputSchema)) > limits.maxSchemaBytes) return undefined;
  try {
    return compileSchema(outputSchema as Readonly<Record<string, unknown>>);
  } catch {
    return undefined;
  }
}

/** Cleans the texts of a schema that models read. */
function cleanSchema(schema: unknown, depth = 0): unknown {
  if (typeof schema !== 'object' || schema === null || depth > 64) return schema;
  if (Array.isArray(schema)) return schema.map((item) => cleanSchema(item, depth + 1));
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    const isText = (key === 'description' || key === 'title') && typeof value === 'string';
    return [key, isText ? cleanText(value) : cleanSchema(value, depth + 1)];
  });
  return Object.fromEntries(entries);
}
