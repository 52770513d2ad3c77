import { failure, success, type ToolResult } from '@haft/core';
import type { ProcessEffect } from '@haft/core/results';
import { truncateOutput, type ManagedProcess, type ManagedProcessStatus, type ProcessManager } from '@haft/sandbox';
import type { z } from 'zod';
import type { BuiltinCall } from '../../definition/define-builtin.ts';
import { timeoutOf, type LongRunningInput } from './bash-input.ts';
import { concludeCommand } from '../../commands/conclude-command.ts';
import { planTime } from '../../commands/plan-command-time.ts';
import { prepareCommand } from './prepare-bash-command.ts';
import { showCommand } from '../../commands/show-command.ts';
import { explainStart } from '../../commands/command-start-errors.ts';

/** Time to wait for an immediate failure or the first output, in milliseconds. */
const firstLookMs = 250;
const maxSummaryLength = 80;
const maxCharacters = 2 ** 24;

/** Starts a command that may outlive the call: in the background immediately, or when its time limit is reached. */
export async function runInBackground(
  args: z.output<LongRunningInput>,
  { context, workspace }: BuiltinCall,
  processes: ProcessManager,
): Promise<ToolResult> {
  const { callId } = context;
  const prepared = await prepareCommand(workspace);
  if (!('ok' in prepared)) return failure(callId, prepared);
  const { env, jail, shell, letGo } = prepared;
  const isForeground = args.background !== true;
  const { timeoutMs, killGraceMs } = planTime(timeoutOf(args), context.deadline - context.now());
  let isShown = isForeground;
  const started = await processes.start({
    command: args.command,
    shell,
    cwd: workspace.cwd,
    env,
    owner: context.sessionId,
    killGraceMs,
    ...(workspace.spillDirectory === undefined ? {} : { spillDirectory: workspace.spillDirectory }),
    ...(jail ? { jail } : {}),
    onOutput: (output) => {
      if (isShown) context.progress({ output });
    },
  });
  if (!started.ok) {
    letGo();
    return failure(callId, await explainStart(started, workspace));
  }

  await waitForEnd(started, isForeground ? timeoutMs : Math.min(firstLookMs, timeoutMs), context.signal);
  isShown = false;
  const isCancelled = context.signal.aborted;
  const status = isCancelled ? await started.stop() : started.status();
  if (status.isAlive) return leaveRunning(started, status, { callId, isForeground, timeoutMs, command: args.command });
  const { text: kept } = started.read(0, maxCharacters);
  return concludeCommand({
    command: args.command,
    result: {
      exitCode: status.exitCode,
      signal: status.signal,
      timedOut: false,
      aborted: isCancelled,
      failure: null,
      output: { ...truncateOutput(kept), totalBytes: status.totalBytes, isBinary: status.isBinary },
      durationMs: status.durationMs,
      pid: status.pid,
      survivors: status.survivors,
      limitReached: status.limitReached,
    },
    spilled: status.spill ?? undefined,
    timeoutMs,
    workspace,
    context,
    jail,
  });
}

interface Leaving {
  readonly callId: string;
  readonly command: string;
  readonly isForeground: boolean;
  readonly timeoutMs: number;
}

function leaveRunning(process: ManagedProcess, { id, pid }: ManagedProcessStatus, leaving: Leaving): ToolResult {
  const { callId, command, isForeground, timeoutMs } = leaving;
  const { text, open } = process.read(0, maxCharacters);
  const how = isForeground
    ? `It did not end in ${timeoutMs} ms and continues in the background as ${id}.`
    : `It runs in the background as ${id}.`;
  const next = `Read its output with bash_output({"id":"${id}","cursor":${process.status().totalCharacters}}), end it with stop_process({"id":"${id}"}).`;
  const said = truncateOutput(text + open).text.trimEnd();
  const effect: ProcessEffect = { kind: 'process', command, pid, background: true };
  return success(callId, [...(said === '' ? [] : [said]), `[${how} ${next}]`].join('\n'), {
    summary: `$ ${showCommand(command, maxSummaryLength)} (${id}, in the background)`,
    effects: [effect],
    metadata: { processId: id, pid, background: true },
  });
}

async function waitForEnd(process: ManagedProcess, ms: number, signal: AbortSignal): Promise<void> {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  const timer = setTimeout(end, ms);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  // An infinite length, so that output does not wake the waiter.
  await process.waitForOutput(Infinity, stop.signal);
  clearTimeout(timer);
  signal.removeEventListener('abort', end);
}
