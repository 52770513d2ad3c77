import {
  HaftError,
  silentLogger,
  type DispatchMiddleware,
  type Logger,
  type ProcessRunner,
  type TurnHooks,
} from '@haft/core';
import {
  booleanKind,
  functionKind,
  loggerKind,
  numberKind,
  processRunnerKind,
  arrayOf,
  stringKind,
  checkOption,
  checkOptions,
  either,
  isRecord,
  nonEmptyStringKind,
  objectOf,
  oneOf,
  recordOf,
  required,
  type OptionKind,
  type OptionTable,
} from '@haft/core/options';
import { createHookPipeline, hookNames, hookTimes, type HookName, type Hooks, type HookSet } from '@haft/core/hooks';
import { askCommand } from './ask-hook-command.ts';

/** A program to run before or after calls and turns. */
export interface CommandHook extends Pick<Hooks, 'tools' | 'required' | 'timeoutMs'> {
  /** Name for messages. */
  readonly name: string;
  /** When to run the program. */
  readonly on: HookName | readonly HookName[];
  /** Program to start without a shell. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Environment variables in addition to the default environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Functions to call before or after calls and turns. */
export interface FunctionHooks extends Hooks {
  /** Name for messages. */
  readonly name: string;
}

/** Options of {@link createHooks}. */
export interface CreateHooksOptions {
  /** Starts programs, for example `import * as sandbox from '@haft/sandbox'`. Required for commands. */
  readonly processes?: ProcessRunner;
  /** Absolute working directory of commands; required for them. */
  readonly cwd?: string;
  /** Receives hook failures. Default: silent. */
  readonly logger?: Logger;
}

const ofEveryHook = {
  name: required(nonEmptyStringKind),
  tools: arrayOf(stringKind, 'a list of names'),
  required: booleanKind,
  timeoutMs: numberKind({ above: 0, max: hookTimes.longest }),
};
const functionHooks = objectOf<FunctionHooks>(
  {
    ...ofEveryHook,
    beforeCall: functionKind,
    afterCall: functionKind,
    beforeTurn: functionKind,
    afterTurn: functionKind,
  },
  '{ name, beforeCall() {} }',
);
const when = oneOf(...hookNames);
const commandHook = objectOf<CommandHook>(
  {
    ...ofEveryHook,
    on: required(either(when, arrayOf(when))),
    command: required(nonEmptyStringKind),
    args: arrayOf(stringKind),
    env: recordOf(stringKind),
  },
  '{ name, on: "beforeCall", command: "check" }',
);
const hookList: OptionKind<readonly object[]> = arrayOf(
  {
    expected: 'a hook such as { name, beforeCall() {} }',
    findFault: (hook, path) =>
      (isRecord(hook) && 'command' in hook ? commandHook : functionHooks).findFault(hook, path),
  },
  'a list of hooks',
);
const table: OptionTable<CreateHooksOptions> = { processes: processRunnerKind, cwd: stringKind, logger: loggerKind };

/**
 * Creates hooks from functions and programs. Pass the result to `middleware` for calls and to `turnHooks` for turns.
 *
 * A program reads one JSON object from standard input: `{ hook, call }`, `{ hook, call, result }`, `{ hook, turn }` or
 * `{ hook, turn, answer }`. It prints nothing to accept, or one JSON object: `{ "deny": "…" }`, or `arguments`, `text`
 * or `note` as in {@link Hooks}. A nonzero exit code denies with the output as the reason. A program that cannot be
 * started, times out or prints anything else has failed, which denies too unless `required` is `false`.
 *
 * @throws HaftError `INVALID_OPTION` for a hook without a handler, and for commands without `processes` and `cwd`.
 */
export function createHooks(
  hooks: readonly (FunctionHooks | CommandHook)[],
  options: CreateHooksOptions = {},
): DispatchMiddleware & TurnHooks {
  checkOption('createHooks', 'hooks', hooks, hookList);
  checkOptions('createHooks', options, table, '{ processes: sandbox, cwd }');
  const sets = hooks.map((hook) => ('command' in hook ? commandSet(hook, options) : functionSet(hook)));
  return createHookPipeline('hooks', () => sets, options.logger ?? silentLogger);
}

function functionSet(hooks: FunctionHooks): HookSet {
  const names = hookNames.filter((name) => hooks[name] !== undefined);
  const ask: HookSet['ask'] = async (name, given, signal) =>
    (hooks[name] as (...given: readonly unknown[]) => unknown).apply(hooks, [...given, signal]);
  return { ...common(hooks, names), ask };
}

function commandSet(hook: CommandHook, { processes, cwd }: CreateHooksOptions): HookSet {
  const { name, on, command, args = [], env = {} } = hook;
  if (!processes || cwd === undefined)
    return refuse(`the hook ${name} is a command (expected the options processes and cwd)`);
  const names: readonly HookName[] = typeof on === 'string' ? [on] : on;
  const set = common(hook, names);
  const request = { command, args, env, cwd, timeoutMs: set.timeoutMs };
  return { ...set, ask: (hooked, given, signal) => askCommand(processes, request, hooked, given, signal) };
}

function common(
  { name, tools, required = true, timeoutMs = hookTimes.default }: FunctionHooks | CommandHook,
  names: readonly HookName[],
): Omit<HookSet, 'ask'> {
  if (names.length === 0) refuse(`the hook ${name} has no handlers (expected one of ${hookNames.join(', ')})`);
  return { owner: `the hook ${name}`, tools, required, timeoutMs, names };
}

function refuse(message: string): never {
  throw new HaftError('INVALID_OPTION', `createHooks: ${message}`);
}
