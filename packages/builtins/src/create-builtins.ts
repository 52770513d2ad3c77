import type { AnyTool } from '@haft/core';
import { createBashTool } from './bash/bash-tool.ts';
import type { BuiltinDependencies } from './builtin-dependencies.ts';
import { checkDependencies, checkOption } from './check-options.ts';
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
 * unless one is given, and share one read tracker, so that write and edit know what read has shown. They are registered
 * under the provider `builtin` when none is named.
 *
 * @throws BuiltinsError `INVALID_OPTION` for an unknown or malformed option, and for a name in `include` that no tool has.
 */
export function createBuiltins(options: BuiltinsOptions = {}): readonly AnyTool[] {
  checkDependencies('createBuiltins', options, ['include']);
  const { include = builtinNames, ...given } = options;
  checkInclude(include);
  const dependencies: BuiltinDependencies = { ...given, readTracker: given.readTracker ?? createReadTracker() };
  return include.map((name) => factories[name](dependencies));
}

function checkInclude(include: readonly BuiltinName[]): void {
  const names = builtinNames.join(', ');
  checkOption('createBuiltins', 'include', Array.isArray(include), `a list of names out of ${names}`, include);
  for (const name of include)
    checkOption('createBuiltins', 'include', Object.hasOwn(factories, name), `a list of names out of ${names}`, name);
}
