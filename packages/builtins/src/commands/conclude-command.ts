import { constants } from 'node:os';
import {
  failure,
  success,
  toolError,
  type ResultExtras,
  type ToolContext,
  type ToolResult,
  type Workspace,
} from '@haft/core';
import type { ProcessEffect } from '@haft/core/results';
import type { Jail, LimitName, ProcessResult } from '@haft/sandbox';
import { count } from '../count.ts';
import { maxTimeoutMs } from './plan-command-time.ts';
import { showCommand } from './show-command.ts';
import { explainStart } from './command-start-errors.ts';

const maxSummaryLength = 80;

/** The outcome of a command. */
export interface Ending {
  readonly command: string;
  readonly result: Omit<ProcessResult, 'errorOutput' | 'unenforced'>;
  /** The file that contains the omitted output. */
  readonly spilled: { readonly path: string; readonly isComplete: boolean } | undefined;
  readonly timeoutMs: number;
  readonly workspace: Workspace;
  readonly context: ToolContext;
  readonly jail: Jail | undefined;
}

/** Builds the result of a command. It contains the output, whether or not the command succeeded. */
export async function concludeCommand(ending: Ending): Promise<ToolResult> {
  const { command, result, spilled, timeoutMs, workspace, context, jail } = ending;
  const output =
    spilled === undefined
      ? result.output.text
      : `${result.output.text.trimEnd()}\n[the ${spilled.isComplete ? 'whole' : 'beginning of the'} output is in ${spilled.path}]`;
  const { callId } = context;
  const exitCode = exitCodeOf(result);
  const details = {
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(result.signal === null ? {} : { signal: result.signal }),
    ...(result.limitReached === null ? {} : { limitReached: result.limitReached }),
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
    summary: `$ ${showCommand(command, maxSummaryLength)} (${ending}, ${describeTime(result.durationMs)})`,
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
        : [`${count(result.survivors.length, 'process', 'processes')} that it started could not be ended.`],
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
    const error = toolError('TIMEOUT', `the command exceeded ${timeoutMs} ms and was ended`, {
      // Repeating the command could repeat what it has already done.
      retryable: false,
      hint: `Its output so far follows. Do less in one command, or pass a longer timeout_ms (at most ${maxTimeoutMs}).`,
      details,
    });
    return failure(callId, error, { ...extras('timed out'), content: output });
  }
  if (exitCode !== 0) {
    const hint =
      result.limitReached === null
        ? jail && jail.driver !== 'none' && looksUnreachable(exitCode, result.output.text)
          ? jailHint(workspace)
          : undefined
        : limitHints[result.limitReached];
    const how = result.signal === null ? `exited with code ${exitCode}` : `was ended by ${result.signal}`;
    const error = toolError('EXIT_CODE', `the command ${how}`, { details, ...(hint === undefined ? {} : { hint }) });
    return failure(callId, error, {
      ...extras(result.signal ?? `exit ${exitCode}`),
      content: output === '' ? '(no output)' : output,
    });
  }
  return success(callId, output === '' ? '(no output)' : output, extras('exit 0'));
}

const limitHints: Readonly<Record<LimitName, string>> = {
  memory: 'It exceeded the memory limit for commands and was killed. Do less at once, for example with fewer jobs.',
  processes: 'It exceeded the process limit for commands. Do less at once, for example with fewer jobs.',
};

/** Error messages of programs about a file, a program, a permission or a host that is missing inside a jail. */
const unreachable =
  /no such file|not found|cannot find|permission denied|not permitted|read-only file|denied|unreachable|could(?: not|n't) (?:resolve|connect)|failed to connect|unable to connect|connection refused|name resolution|\bE(?:NOENT|ACCES|PERM|ROFS|NOTFOUND|AI_AGAIN|NETUNREACH|HOSTUNREACH|CONNREFUSED)\b/i;

/**
 * Returns whether the jail may have caused a failure. Ordinary failures, such as failing tests, get no hint about the
 * jail.
 */
function looksUnreachable(exitCode: number | undefined, output: string): boolean {
  return exitCode === 126 || exitCode === 127 || unreachable.test(output);
}

/** Inside a jail, paths that a command may not access do not exist. */
function jailHint({ jail }: Workspace): string {
  const network =
    jail?.network === true
      ? ''
      : typeof jail?.network === 'object' && jail.network.hosts.length > 0
        ? `, only ${jail.network.hosts.slice(0, 10).join(', ')} can be reached`
        : ', there is no network (only the program can allow it, with jail.network)';
  return `Commands run in a jail: only the workspace is visible${network}, and git hooks and settings can't be changed.`;
}

/** Returns the exit code as a shell reports it: 128 plus the number of the signal. */
export function exitCodeOf({ exitCode, signal }: Pick<ProcessResult, 'exitCode' | 'signal'>): number | undefined {
  if (exitCode !== null) return exitCode;
  return signal === null ? undefined : 128 + constants.signals[signal];
}

/** Formats a duration for the user. */
export function describeTime(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
