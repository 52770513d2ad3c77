import type { ToolError } from '../contracts/error.ts';
import type { AnyTool } from '../contracts/tool.ts';
import { isToolResult } from '../results/tool-result.ts';
import { describeCause } from '../describe-cause.ts';
import type { CallRun } from './call-run.ts';
import { reject, Rejection } from './rejection.ts';
import { isToolError } from '../results/tool-result.ts';

/**
 * Runs the body until it ends, its deadline passes or the call is cancelled. A body that answers at once costs no
 * promise. After a cancellation the body may wind up for a moment: what it then reports as a failure of its own
 * (output so far, what was already changed) is kept.
 */
export function execute(run: CallRun, tool: AnyTool): unknown {
  if (run.isAborted || !run.open) return reject('ABORTED', `${tool.name} was cancelled before it ran`);
  const timeoutMs = run.circumstances.timeoutMs ?? tool.timeoutMs;
  const { context } = run;
  run.bodyStartedAt = run.parts.workspace.now();
  context.deadline = run.bodyStartedAt + timeoutMs;
  let returned;
  try {
    returned = tool.execute(run.args, context);
  } catch (error) {
    return thrown(tool, error);
  }
  return isThenable(returned) ? supervise(run, tool, returned, timeoutMs) : returned;
}

function supervise(run: CallRun, tool: AnyTool, body: PromiseLike<unknown>, timeoutMs: number): Promise<unknown> {
  const { signal } = run.circumstances;
  const { deadlines, cancelGraceMs } = run.parts;
  return new Promise((resolve) => {
    let stopped: Rejection | undefined;
    const deadline = { at: Date.now() + timeoutMs, expire: () => stop(timedOut(tool, timeoutMs)) };
    const onAbort = (): void => stop(reject('ABORTED', `${tool.name} was cancelled while it ran`));
    const end = (value: unknown): void => {
      deadlines.remove(deadline);
      deadlines.remove(grace);
      signal?.removeEventListener('abort', onAbort);
      resolve(value);
    };
    const grace = { at: 0, expire: () => end(stopped) };
    const stop = (reason: Rejection): void => {
      if (stopped) return;
      stopped = reason;
      deadlines.remove(deadline);
      grace.at = Date.now() + cancelGraceMs;
      deadlines.add(grace);
      run.context.cancel(
        new DOMException(reason.error.message, reason.error.code === 'TIMEOUT' ? 'TimeoutError' : 'AbortError'),
      );
    };
    deadlines.add(deadline);
    if (signal) {
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
    }
    body.then(
      (value) => end(stopped ? windUp(stopped, value) : value),
      (error: unknown) => end(stopped ?? thrown(tool, error)),
    );
  });
}

/** What a stopped call answers when its body still ended in time: the stop, with what the body had to report. */
function windUp(stopped: Rejection, value: unknown): unknown {
  if (!isToolResult(value)) return stopped;
  return {
    ...value,
    ok: false,
    error: {
      ...stopped.error,
      ...(value.ok ? { details: { finished: true } } : { details: value.error.details ?? {} }),
    },
  };
}

function timedOut(tool: AnyTool, timeoutMs: number): Rejection {
  return reject('TIMEOUT', `${tool.name} did not end in ${timeoutMs} ms`, {
    retryable: tool.traits.readOnly || tool.traits.idempotent,
    hint: 'Do less in one call, or raise its time limit where the tool has one.',
  });
}

function thrown(tool: AnyTool, error: unknown): Rejection {
  if (isReportedError(error)) return new Rejection(error);
  return reject('EXECUTION_ERROR', `${tool.name} threw: ${describeCause(error)}`, { cause: error });
}

/** A tool error that a body threw; a value that can't even be looked at is none. */
function isReportedError(error: unknown): error is ToolError {
  try {
    return isToolError(error);
  } catch {
    return false;
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { readonly then?: unknown }).then === 'function'
  );
}
