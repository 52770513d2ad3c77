import {
  HaftError,
  silentLogger,
  type DispatchMiddleware,
  type Logger,
  type ProcessRunner,
  type TurnHooks,
} from '@haft/core';
import { createHookRoad, hookNames, hookTimes, type HookName, type Hooks, type HookSet } from '@haft/core/hooks';
import { askCommand } from './ask-command.ts';

/** A program that is asked before or after calls and turns. */
export interface CommandHook extends Pick<Hooks, 'tools' | 'required' | 'timeoutMs'> {
  /** For messages. */
  readonly name: string;
  /** When it is asked. */
  readonly on: HookName | readonly HookName[];
  /** A program; it is started without a shell. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Variables it gets besides those of a clean environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Functions that are asked before or after calls and turns. */
export interface FunctionHooks extends Hooks {
  /** For messages. */
  readonly name: string;
}

/** What {@link createHooks} takes besides the hooks. */
export interface CreateHooksOptions {
  /** Starts programs: `import * as sandbox from '@haft/sandbox'` is one. Needed for commands. */
  readonly processes?: ProcessRunner;
  /** Absolute working directory of commands; needed for them. */
  readonly cwd?: string;
  /** Hears of hooks that fail. Default: nobody does. */
  readonly logger?: Logger;
}

/**
 * Makes hooks of functions and of programs: give what it returns to `middleware`, for calls, and to `turnHooks`, for turns.
 *
 * A program gets one JSON object on standard input: `{ hook, call }`, `{ hook, call, result }`, `{ hook, turn }` or
 * `{ hook, turn, answer }`. It says nothing when all is well, or prints one JSON object: `{ "deny": "…" }`, or `arguments`,
 * `text` or `note`, as that of {@link Hooks}. An exit code other than 0 is a no, with what it printed as the reason. One that
 * can't be started, takes too long or prints anything else has failed: unless `required` is `false`, that refuses what it
 * was asked about.
 *
 * @throws HaftError `INVALID_OPTION` for a hook that would never be asked, and for commands without `processes` and `cwd`.
 */
export function createHooks(
  hooks: readonly (FunctionHooks | CommandHook)[],
  options: CreateHooksOptions = {},
): DispatchMiddleware & TurnHooks {
  if (!Array.isArray(hooks)) refuse('its first argument must be a list of hooks');
  const sets = hooks.map((hook) => {
    if (typeof hook !== 'object' || hook === null) refuse('a hook must be an object');
    return 'command' in hook ? commandSet(hook, options) : functionSet(hook);
  });
  return createHookRoad('hooks', () => sets, options.logger ?? silentLogger);
}

function functionSet(hooks: FunctionHooks): HookSet {
  const names = hookNames.filter((name) => hooks[name] !== undefined);
  const wrong = names.find((name) => typeof hooks[name] !== 'function');
  if (wrong !== undefined) refuse(`${wrong} of the hook ${hooks.name} must be a function`);
  const known = ['name', 'tools', 'required', 'timeoutMs', ...hookNames];
  const stray = Object.keys(hooks).find((key) => !known.includes(key));
  // A guard whose name is misspelt would guard nothing.
  if (stray !== undefined) refuse(`the hook ${hooks.name} has a member ${stray}; there are ${known.join(', ')}`);
  const ask: HookSet['ask'] = async (name, given, signal) =>
    (hooks[name] as (...given: readonly unknown[]) => unknown).apply(hooks, [...given, signal]);
  return { ...common(hooks, names), ask };
}

function commandSet(hook: CommandHook, { processes, cwd }: CreateHooksOptions): HookSet {
  const { name, on, command, args = [], env = {} } = hook;
  if (typeof command !== 'string' || command === '') refuse(`the hook ${name} needs a command, the name of a program`);
  if (!processes || cwd === undefined)
    return refuse(`the hook ${name} is a command: give processes and cwd to start it`);
  const names: readonly HookName[] = typeof on === 'string' ? [on] : on;
  const wrong = names.find((one) => !hookNames.includes(one));
  if (wrong !== undefined) refuse(`the hook ${name} is on ${wrong}; there are ${hookNames.join(', ')}`);
  const set = common(hook, names);
  const request = { command, args, env, cwd, timeoutMs: set.timeoutMs };
  return { ...set, ask: (hooked, given, signal) => askCommand(processes, request, hooked, given, signal) };
}

function common(
  { name, tools, required = true, timeoutMs = hookTimes.default }: FunctionHooks | CommandHook,
  names: readonly HookName[],
): Omit<HookSet, 'ask'> {
  if (typeof name !== 'string' || name === '') refuse('a hook needs a name');
  if (names.length === 0) refuse(`the hook ${name} would never be asked; expected one of ${hookNames.join(', ')}`);
  if (tools !== undefined && !Array.isArray(tools)) refuse(`tools of the hook ${name} must be a list of names`);
  if (typeof required !== 'boolean') refuse(`required of the hook ${name} must be true or false`);
  if (!(typeof timeoutMs === 'number' && timeoutMs > 0 && timeoutMs <= hookTimes.longest))
    refuse(`timeoutMs of the hook ${name} must be a number of milliseconds, at most ${hookTimes.longest}`);
  return { owner: `the hook ${name}`, tools, required, timeoutMs, names };
}

function refuse(message: string): never {
  throw new HaftError('INVALID_OPTION', `createHooks: ${message}`);
}
