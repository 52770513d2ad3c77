import { constants } from 'node:os';
import {
  failure,
  success,
  toolError,
  type AnyTool,
  type ProcessEffect,
  type ResultExtras,
  type ToolContext,
  type ToolResult,
  type Workspace,
} from '@haft/core';
import { findExecutable, runProcess, type Jail, type ProcessResult } from '@haft/sandbox';
import { z } from 'zod';
import type { BuiltinDependencies } from '../builtin-dependencies.ts';
import { defineBuiltin, type BuiltinCall } from '../define-builtin.ts';
import { count } from '../search/search-notes.ts';
import { openCommandJail } from './command-jail.ts';
import { createOutputKeeper } from './keep-output.ts';
import { planTime } from './plan-time.ts';
import { showCommand, titleOf } from './show-command.ts';
import { explainStart, refuseFolder } from './start-errors.ts';

const usualTimeoutMs = 120_000;
const longestTimeoutMs = 600_000;
const longestSummary = 80;

const input = z.strictObject({
  command: z
    .string()
    .min(1)
    .describe(
      'The command line for the shell. It runs in the working directory, without a terminal and without input.',
    ),
  timeout_ms: z
    .int()
    .min(1)
    .max(longestTimeoutMs)
    .optional()
    .describe('Milliseconds after which the command is ended. Default 120000, at most 600000.'),
  description: z
    .string()
    .optional()
    .describe('What the command does, in a few words, shown behind it to the person who reads along.'),
});

/** Makes the `bash` tool: one command line, run to its end. */
export function createBashTool(dependencies: BuiltinDependencies = {}): AnyTool {
  return defineBuiltin('createBashTool', dependencies, {
    name: 'bash',
    title: 'Run a command',
    description:
      'Runs a command line in the working directory and returns what it printed. Each call is a shell of its own: cd and variables do not carry over. ' +
      'Nothing can be typed into it, and what it leaves running is ended. ' +
      'To read, search or change files use read, grep, glob, edit and write instead.',
    input,
    kind: 'other',
    traits: {
      readOnly: false,
      destructive: true,
      idempotent: false,
      openWorld: true,
      sideEffects: 'external',
      requires: ['process'],
    },
    parallelizable: false,
    // The command's own end comes first, with its output, then the dispatcher's.
    timeoutMs: longestTimeoutMs + 15_000,
    aliases: { command: ['cmd', 'script'], timeout_ms: ['timeoutMs', 'timeout_milliseconds'] },
    footprint: () => ({ writes: ['*'] }),
    initialTitle: ({ command, description }) => titleOf(command, description),
    run,
  });
}

async function run(args: z.output<typeof input>, { context, workspace }: BuiltinCall): Promise<ToolResult> {
  const unusable = await refuseFolder(workspace);
  if (unusable) return failure(context.callId, unusable);
  const kept = await openCommandJail(workspace);
  if (!('ok' in kept)) return failure(context.callId, kept);
  const { env, jail } = kept;
  const { timeoutMs, killGraceMs } = planTime(args.timeout_ms ?? usualTimeoutMs, context.deadline - context.now());
  const keeper = createOutputKeeper(workspace.spillDirectory);
  const result = await runProcess({
    command: args.command,
    shell: process.platform === 'win32' ? true : (findExecutable('bash', env, workspace.cwd) ?? true),
    cwd: workspace.cwd,
    env,
    signal: context.signal,
    timeoutMs,
    killGraceMs,
    ...(jail ? { jail } : {}),
    onOutput: (output) => {
      keeper.push(output);
      context.progress({ output });
    },
  });
  const spilled = keeper.finish(result.output.truncated);
  const output =
    spilled === undefined
      ? result.output.text
      : `${result.output.text.trimEnd()}\n[the ${spilled.isWhole ? 'whole' : 'beginning of the'} output is in ${spilled.path}]`;
  return conclude({ command: args.command, result, output, timeoutMs, workspace, context, jail });
}

interface Ending {
  readonly command: string;
  readonly result: ProcessResult;
  readonly output: string;
  readonly timeoutMs: number;
  readonly workspace: Workspace;
  readonly context: ToolContext;
  readonly jail: Jail | undefined;
}

async function conclude(ending: Ending): Promise<ToolResult> {
  const { command, result, output, timeoutMs, workspace, context, jail } = ending;
  const { callId } = context;
  const exitCode = exitCodeOf(result);
  const details = {
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(result.signal === null ? {} : { signal: result.signal }),
    durationMs: Math.round(result.durationMs),
    cwd: workspace.cwd,
  };
  const effect: ProcessEffect = {
    kind: 'process',
    command,
    background: false,
    ...(result.pid === null ? {} : { pid: result.pid }),
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(result.timedOut ? { timedOut: true } : {}),
  };
  const extras = (ending: string): ResultExtras => ({
    summary: `$ ${showCommand(command, longestSummary)} (${ending}, ${describeTime(result.durationMs)})`,
    effects: result.pid === null ? [] : [effect],
    metadata: {
      ...details,
      truncated: result.output.truncated,
      totalLines: result.output.totalLines,
      totalBytes: result.output.totalBytes,
      ...(jail ? { jail: jail.driver } : {}),
    },
    advisories:
      result.survivors.length === 0
        ? []
        : [`${count(result.survivors.length, 'process', 'processes')} it started could not be ended.`],
  });

  if (result.failure) {
    return failure(callId, await explainStart(result.failure, workspace), extras('not started'));
  }
  if (result.aborted)
    return failure(callId, toolError('ABORTED', 'the command was cancelled', { details }), {
      ...extras('cancelled'),
      content: output,
    });
  if (result.timedOut) {
    const error = toolError('TIMEOUT', `the command did not end in ${timeoutMs} ms and was ended`, {
      // What it did until then may not bear repeating.
      retryable: false,
      hint: `The output up to then follows. Do less in one command, or pass a longer timeout_ms (at most ${longestTimeoutMs}).`,
      details,
    });
    return failure(callId, error, { ...extras('timed out'), content: output });
  }
  if (exitCode !== 0) {
    const hint = jail && jail.driver !== 'none' ? jailHint(workspace) : undefined;
    const how = result.signal === null ? `exited with code ${exitCode}` : `was ended by ${result.signal}`;
    const error = toolError('EXIT_CODE', `the command ${how}`, { details, ...(hint === undefined ? {} : { hint }) });
    return failure(callId, error, {
      ...extras(result.signal ?? `exit ${exitCode}`),
      content: output === '' ? '(no output)' : output,
    });
  }
  return success(callId, output === '' ? '(no output)' : output, extras('exit 0'));
}

/** What can't be done in a jail looks as if it were not there. */
function jailHint({ jail }: Workspace): string {
  const network = jail?.network === true ? '' : ', there is no network';
  return `Commands run in a jail: only the workspace can be seen${network}, and git hooks and settings can't be changed.`;
}

/** A shell would report a signal as 128 and its number. */
function exitCodeOf({ exitCode, signal }: ProcessResult): number | undefined {
  if (exitCode !== null) return exitCode;
  return signal === null ? undefined : 128 + constants.signals[signal];
}

function describeTime(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
