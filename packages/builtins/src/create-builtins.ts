import type { AnyTool } from '@haft/core';
import { createBashTool } from './bash/bash-tool.ts';
import type { BuiltinDependencies } from './builtin-dependencies.ts';
import { createEditTool } from './edit/edit-tool.ts';
import { createGlobTool } from './glob/glob-tool.ts';
import { createGrepTool } from './grep/grep-tool.ts';
import { createListTool } from './ls/ls-tool.ts';
import { createReadTool } from './read/read-tool.ts';
import { createReadTracker } from './read-tracker.ts';
import { createWriteTool } from './write/write-tool.ts';

/** Name of a tool of this package. */
export type BuiltinName = 'read' | 'write' | 'edit' | 'ls' | 'glob' | 'grep' | 'bash';

const factories: Readonly<Record<BuiltinName, (dependencies: BuiltinDependencies) => AnyTool>> = {
  read: createReadTool,
  write: createWriteTool,
  edit: createEditTool,
  ls: createListTool,
  glob: createGlobTool,
  grep: createGrepTool,
  bash: createBashTool,
};

/** Names of all tools of this package, in the order {@link createBuiltins} gives them. */
export const builtinNames: readonly BuiltinName[] = Object.keys(factories) as BuiltinName[];

/** What {@link createBuiltins} takes; everything has a default. */
export interface BuiltinsOptions extends BuiltinDependencies {
  /** Which tools to make; default all. */
  readonly include?: readonly BuiltinName[];
}

/**
 * Makes the tools every agent needs: read, write, edit, ls, glob, grep, bash. They work in the workspace of each call
 * unless one is given, and share one read tracker, so that write and edit know what read has shown.
 *
 * @throws TypeError for a name in `include` that no tool has.
 */
export function createBuiltins(options: BuiltinsOptions = {}): readonly AnyTool[] {
  const { include = builtinNames, ...given } = options;
  const dependencies: BuiltinDependencies = { ...given, readTracker: given.readTracker ?? createReadTracker() };
  return include.map((name) => {
    if (!Object.hasOwn(factories, name))
      throw new TypeError(`there is no built-in tool ${JSON.stringify(name)}; there are ${builtinNames.join(', ')}`);
    return factories[name](dependencies);
  });
}
