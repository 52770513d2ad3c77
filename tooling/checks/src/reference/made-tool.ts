import {
  createDispatcher,
  defineTool,
  type AnyTool,
  type CallContext,
  type DispatcherOptions,
  type ToolCall,
  type ToolResult,
} from '@haft/core';

/** Creates a tool that reads and returns `done`, with overrides. */
export function makeTool(extra: object = {}): AnyTool {
  return defineTool({ name: 'work', description: 'Works.', kind: 'read', execute: () => 'done', ...extra }) as AnyTool;
}

/** Creates a call. */
export function makeCall(name: string, args: unknown = {}, id = 'c1'): ToolCall {
  return { id, name, arguments: args };
}

/** Runs one call of one tool. */
export function runTool(
  tool: AnyTool,
  args: unknown = {},
  options: Partial<DispatcherOptions> = {},
  context?: CallContext,
): Promise<ToolResult> {
  return createDispatcher({ registry: [tool], ...options }).dispatch(makeCall(tool.name, args), context);
}
