import type { AnyTool } from '@haft/core';
import type { z } from 'zod';
import type { BuiltinDependencies } from '../../options/builtin-dependencies.ts';
import { basicPreference, defineBuiltin, type BuiltinDefinition } from '../../definition/define-builtin.ts';
import { checkTimes, commandInput, longRunningInput, type CommandInput, type LongRunningInput } from './bash-input.ts';
import { runInBackground } from './run-bash-in-background.ts';
import { runCommand } from './run-bash-command.ts';
import { maxTimeoutMs } from '../../commands/plan-command-time.ts';
import { titleOf } from '../../commands/show-command.ts';

const description =
  'Runs a command line in the working directory and returns its output. Each call starts a new shell: cd and variables do not persist. ' +
  'It gets no input, and processes that it leaves running are ended. ';
const otherTools = 'To read, search or change files use read, grep, glob, edit and write instead.';
const longRunning =
  'For a server, a watcher or a long build pass background: true: it continues while you work; read its output with bash_output, end it with stop_process. ';

/**
 * Creates the `bash` tool, which runs one command line to its end. If `processes` is among its dependencies, a call can
 * also leave a command running in the background.
 *
 * @example
 * import { createBashTool } from '@haft/builtins';
 * createBashTool().name; // => 'bash'
 */
export function createBashTool(dependencies: BuiltinDependencies = {}): AnyTool {
  const { processes } = dependencies;
  if (!processes)
    return defineBuiltin('createBashTool', dependencies, {
      ...shared(),
      description: description + otherTools,
      input: commandInput,
      aliases: commandAliases,
      run: runCommand,
    });
  return defineBuiltin('createBashTool', dependencies, {
    ...shared<LongRunningInput>(),
    description: description + longRunning + otherTools,
    input: longRunningInput,
    aliases: {
      ...commandAliases,
      background: ['run_in_background', 'is_background', 'runInBackground', 'isBackground'],
    },
    run: (args, call) =>
      args.background === true || args.on_timeout === 'background'
        ? runInBackground(args, call, processes)
        : runCommand(args, call),
  });
}

const commandAliases = {
  command: ['cmd', 'script'],
  timeout_ms: ['timeoutMs', 'timeout_milliseconds'],
  timeout_seconds: ['timeoutSeconds', 'timeout_s', 'timeout_sec'],
};

/** Returns the parts that do not depend on background commands. */
function shared<Input extends CommandInput>(): Omit<
  BuiltinDefinition<Input>,
  'input' | 'description' | 'aliases' | 'run'
> {
  return {
    name: 'bash',
    title: 'Run a command',
    kind: 'other',
    preference: basicPreference,
    traits: {
      readOnly: false,
      destructive: true,
      idempotent: false,
      openWorld: true,
      sideEffects: 'external',
      requires: ['process'],
    },
    // The time limit of the command must expire before the dispatcher's, so that its output is returned.
    timeoutMs: maxTimeoutMs + 15_000,
    footprint: () => ({ writes: ['*'] }),
    check: checkTimes,
    initialTitle: ({ command, description: said }: z.output<CommandInput>) => titleOf(command, said),
  };
}
