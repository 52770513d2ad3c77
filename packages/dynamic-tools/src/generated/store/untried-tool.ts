import { defineTool, type AnyTool } from '@haft/core';

const cautious: AnyTool['traits'] = defineTool({
  name: 'untried',
  description: 'Says nothing of itself.',
  input: { type: 'object' },
  execute: () => undefined,
}).traits;

/**
 * Wraps a tool until its first allowed call: its traits are ignored, so that the user is asked. Calls `onAllowed` once
 * a call was allowed.
 */
export function asUntried(tool: AnyTool, onAllowed: () => void): AnyTool {
  return {
    ...tool,
    kind: 'other',
    traits: cautious,
    parallelizable: false,
    initialTitle: () => `First use of ${tool.name}, a tool written by the model`,
    execute: (args, context) => {
      onAllowed();
      return tool.execute(args, context);
    },
  };
}
