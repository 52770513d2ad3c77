import { createBuiltins } from '@haft/builtins';
import type { AnyTool } from '@haft/core';
import { addItem } from './tools/add-item.ts';

/** Built-in tools that this agent may use. `createBuiltins()` has more, such as write, edit and bash. */
const builtins: ReadonlySet<string> = new Set(['ls', 'read', 'glob', 'grep']);

/** The tools of the agent. Add your own here. */
export function createTools(): readonly AnyTool[] {
  return [...createBuiltins().filter(({ name }) => builtins.has(name)), addItem];
}
