import type { AnyTool, ToolSnapshot, ToolSource } from '@haft/core';
import type { Tool } from '@modelcontextprotocol/server';
import { exposeSnapshot } from './exposed-snapshot.ts';

/** The tools that clients may see. */
export interface ServedView {
  /** Returns the tools that are available now. */
  visible(): Promise<ToolSnapshot>;
  /** Returns all tools, unavailable ones included. */
  all(): ToolSnapshot;
}

/** Creates a view of the exposed tools of a source. */
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

/** Describes the tools of a snapshot for an MCP client, in order. */
export function describeTools(
  snapshot: ToolSnapshot,
  taskSupportOf: (tool: AnyTool) => 'required' | 'optional' | undefined = () => undefined,
): Tool[] {
  return snapshot.tools.map((tool) => {
    const taskSupport = taskSupportOf(tool);
    return { ...describeTool(tool), ...(taskSupport === undefined ? {} : { execution: { taskSupport } }) };
  });
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
      idempotentHint: traits.idempotent === true,
      openWorldHint: traits.openWorld ?? true,
    },
  };
}

/** Returns the schema if it describes an object: the protocol allows no others. */
function objectSchema(schema: unknown): { type: 'object'; [key: string]: unknown } | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined;
  const { type } = schema as { readonly type?: unknown };
  return type === 'object' ? { ...schema, type: 'object' } : undefined;
}
