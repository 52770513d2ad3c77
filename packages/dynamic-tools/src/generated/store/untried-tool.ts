import { defineTool, type AnyTool } from '@haft/core';

const cautious: AnyTool['traits'] = defineTool({
  name: 'untried',
  description: 'Says nothing of itself.',
  input: { type: 'object' },
  execute: () => undefined,
}).traits;

/**
 * A tool before its first use: it counts as one that says nothing of itself, so that a person is asked, and tells when a
 * call has been allowed.
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
