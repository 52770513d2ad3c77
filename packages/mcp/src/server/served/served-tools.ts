import type { AnyTool, ToolSnapshot, ToolSource } from '@haft/core';
import type { Tool } from '@modelcontextprotocol/server';
import { exposeSnapshot } from './exposed-snapshot.ts';

/** The tools as clients may know of them. */
export interface ServedView {
  /** What a client is shown now. */
  visible(): Promise<ToolSnapshot>;
  /** The same with the tools that can't be used just now. */
  all(): ToolSnapshot;
}

/** Makes a view on the exposed tools of a source. */
export function createServedView(
  source: ToolSource,
  options: {
    readonly expose?: (tool: AnyTool, provider: string) => boolean;
    readonly model?: { readonly name: string; readonly vendor?: string };
  },
): ServedView {
  const { expose, model = { name: 'mcp' } } = options;
  return {
    visible: () => {
      const seen = source.visibleTo(model);
      return expose ? seen.then((snapshot) => exposeSnapshot(snapshot, expose)) : seen;
    },
    all: () => exposeSnapshot(source.snapshot(), expose),
  };
}

/** What an MCP client is told of the tools of a snapshot, in its order. */
export function describeTools(snapshot: ToolSnapshot): Tool[] {
  return snapshot.tools.map(describeTool);
}

function describeTool(tool: AnyTool): Tool {
  const { traits } = tool;
  const output = objectSchema(tool.output?.jsonSchema);
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: objectSchema(tool.input.jsonSchema) ?? { type: 'object' },
    ...(output === undefined ? {} : { outputSchema: output }),
    annotations: {
      readOnlyHint: traits.readOnly,
      destructiveHint: traits.destructive ?? true,
      idempotentHint: traits.idempotent,
      openWorldHint: traits.openWorld ?? true,
    },
  };
}

/** The protocol knows no other schemas than those of objects. */
function objectSchema(schema: unknown): { type: 'object'; [key: string]: unknown } | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined;
  const { type } = schema as { readonly type?: unknown };
  return type === 'object' ? { ...schema, type: 'object' } : undefined;
}
