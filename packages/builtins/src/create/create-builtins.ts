import type { AnyTool } from '@haft/core';
import { arrayOf, checkOptions, isRecord, oneOf, type OptionTable } from '@haft/core/options';
import { createProcessManager, type ProcessManager } from '@haft/sandbox';
import { createAppendTool } from '../tools/append/append-tool.ts';
import { createApplyPatchTool } from '../tools/apply-patch/apply-patch-tool.ts';
import { createBashTool } from '../tools/bash/bash-tool.ts';
import type { BuiltinDependencies } from '../options/builtin-dependencies.ts';
import { invalidOption } from '../builtins-error.ts';
import { dependencyKinds } from '../options/dependency-kinds.ts';
import { createDeleteRangeTool } from '../tools/delete-range/delete-range-tool.ts';
import { createEditTool } from '../tools/edit/edit-tool.ts';
import { createFetchTool } from '../tools/fetch/fetch-tool.ts';
import { createGlobTool } from '../tools/glob/glob-tool.ts';
import { createGrepTool } from '../tools/grep/grep-tool.ts';
import { createListTool } from '../tools/ls/ls-tool.ts';
import { createBashOutputTool } from '../tools/processes/bash-output-tool.ts';
import { createListProcessesTool } from '../tools/processes/list-processes-tool.ts';
import { createStopProcessTool } from '../tools/processes/stop-process-tool.ts';
import { createMultiEditTool } from '../tools/multi-edit/multi-edit-tool.ts';
import { optionalTools, type OptionalBuiltinName } from './optional-tools.ts';
import { createPlanTool } from '../tools/plan/plan-tool.ts';
import { createReadTool } from '../tools/read/read-tool.ts';
import { createReadTracker } from '../files/read-tracker.ts';
import { createTodoTool } from '../tools/todo/todo-tool.ts';
import { createWriteTool } from '../tools/write/write-tool.ts';

/** The name of a tool of this package. */
export type BuiltinName =
  | 'read'
  | 'write'
  | 'append'
  | 'edit'
  | 'multi_edit'
  | 'delete_range'
  | 'apply_patch'
  | 'ls'
  | 'glob'
  | 'grep'
  | 'bash'
  | 'bash_output'
  | 'stop_process'
  | 'list_processes'
  | 'web_fetch'
  | 'todo'
  | 'plan'
  | OptionalBuiltinName;

/** The dependencies of one {@link createBuiltins} call, including the shared ones that it creates. */
type SharedDependencies = BuiltinDependencies & { readonly processes: ProcessManager };

const factories: Readonly<
  Record<Exclude<BuiltinName, OptionalBuiltinName>, (dependencies: SharedDependencies) => AnyTool>
> = {
  read: createReadTool,
  write: createWriteTool,
  append: createAppendTool,
  edit: createEditTool,
  multi_edit: createMultiEditTool,
  delete_range: createDeleteRangeTool,
  apply_patch: createApplyPatchTool,
  ls: createListTool,
  glob: createGlobTool,
  grep: createGrepTool,
  bash: createBashTool,
  bash_output: (dependencies) => createBashOutputTool(dependencies.processes, dependencies),
  stop_process: (dependencies) => createStopProcessTool(dependencies.processes, dependencies),
  list_processes: (dependencies) => createListProcessesTool(dependencies.processes, dependencies),
  web_fetch: createFetchTool,
  todo: createTodoTool,
  plan: createPlanTool,
};

/** Names of all tools of this package, in the order {@link createBuiltins} gives them. */
export const builtinNames: readonly BuiltinName[] = Object.keys({ ...factories, ...optionalTools }) as BuiltinName[];

/** Options of {@link createBuiltins}; all have defaults. */
export interface BuiltinsOptions extends BuiltinDependencies {
  /** The tools to create. Default: all whose dependencies are given. */
  readonly include?: readonly BuiltinName[];
}

const table: OptionTable<BuiltinsOptions> = {
  ...dependencyKinds,
  include: arrayOf(oneOf(...builtinNames), 'a list of names of tools'),
};

/**
 * Creates the built-in tools whose dependencies are given. They use the workspace of each call unless `workspace` is
 * given. They share one read tracker, which tells the editing tools what `read` has shown, and one process manager for
 * background commands. Their default provider is `builtin`.
 *
 * @throws BuiltinsError `INVALID_OPTION` for an unknown or invalid option, and for a name in `include` that is unknown
 * or whose dependency is missing.
 */
export function createBuiltins(options: BuiltinsOptions = {}): readonly AnyTool[] {
  if (isRecord(options) && options['exclude'] !== undefined) throw invalidOption(noExclude);
  checkOptions('createBuiltins', options, table, '{ workspace }, or nothing', invalidOption);
  const { include = builtinNames.filter((name) => findNeed(name, options) === undefined), ...given } = options;
  checkInclude(include, given);
  const dependencies: SharedDependencies = {
    ...given,
    readTracker: given.readTracker ?? createReadTracker(),
    processes: given.processes ?? createProcessManager(),
  };
  return include.map((name) =>
    isOptional(name) ? optionalTools[name].make(dependencies) : factories[name](dependencies),
  );
}

const noExclude =
  "createBuiltins: exclude is not an option (to leave out a tool, list the others in include, or filter the result: createBuiltins().filter(({ name }) => name !== 'bash'))";

function isOptional(name: BuiltinName): name is OptionalBuiltinName {
  return Object.hasOwn(optionalTools, name);
}

/** Returns the first missing dependency of a tool. */
function findNeed(name: BuiltinName, given: BuiltinDependencies): keyof BuiltinDependencies | undefined {
  if (!isOptional(name)) return undefined;
  const { needs } = optionalTools[name];
  return given[needs] === undefined ? needs : undefined;
}

function checkInclude(include: readonly BuiltinName[], given: BuiltinDependencies): void {
  for (const name of include) {
    const need = findNeed(name, given);
    if (need !== undefined) throw invalidOption(`createBuiltins: ${need} is missing (expected for the tool ${name})`);
  }
}
