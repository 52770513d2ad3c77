import type { ToolError } from '../../contracts/results/error.ts';
import { describeCause } from '../../describe-cause.ts';
import type { ErrorCode } from '../../results/error-codes.ts';
import { maskThrownText } from '../../results/mask-thrown-text.ts';
import { readToolError } from '../../results/read-error.ts';
import { toolError, type ToolErrorExtras } from '../../results/tool-error.ts';
import { isToolError } from '../../results/tool-result.ts';
import type { CallRun } from './call-run.ts';

/** The return value of a step that ends the call: the error of the result. */
export class EarlyEnd {
  readonly error: ToolError;

  constructor(error: ToolError) {
    this.error = error;
  }
}

/** The return value of a step: `undefined` to continue, an early end, or a promise of either. */
export type Step = EarlyEnd | undefined | Promise<EarlyEnd | undefined>;

/** Ends a call with an error code of Haft. */
export function endEarly(code: ErrorCode, message: string, extras?: ToolErrorExtras): EarlyEnd {
  return new EarlyEnd(toolError(code, message, extras));
}

/** Ends the call and aborts its signal to stop pending work. */
export function cancelAndEnd(run: CallRun, code: 'ABORTED' | 'TIMEOUT', message: string): EarlyEnd {
  run.cancel(message, code === 'TIMEOUT');
  return endEarly(code, message);
}

/** Ends a call that was cancelled before its body started. */
export function endIfAborted(run: CallRun): EarlyEnd | undefined {
  return run.isAborted ? endEarly('ABORTED', 'the call was cancelled before it ran') : undefined;
}

/** Ends a call whose tool threw: with a tool error as it is, with anything else as an `EXECUTION_ERROR`. */
export function endThrown(run: CallRun, operation: string, thrown: unknown): EarlyEnd {
  try {
    if (isToolError(thrown)) return new EarlyEnd(readToolError(thrown));
  } catch {
    // Only resembles a tool error.
  }
  const shown = textForModel(run, thrown);
  return endEarly('EXECUTION_ERROR', `${operation}: ${describeCause(thrown)}`, {
    cause: thrown,
    ...(shown === '' ? {} : { modelMessage: `the tool ${run.tool!.name} failed: ${shown}`, hint }),
  });
}

const hint = 'If the arguments caused this, correct them and call the tool again. Otherwise, continue without it.';

/** Returns the text of a thrown error or string with internals masked, or `''` if the model must not see any. */
function textForModel({ config, tool }: CallRun, thrown: unknown): string {
  if (config.errors === 'redact' || tool!.errors === 'redact') return '';
  try {
    const message: unknown = (thrown as Partial<Error> | null | undefined)?.message;
    const hasText = typeof thrown === 'string' || (typeof message === 'string' && message !== '');
    return hasText ? maskThrownText(describeCause(thrown), config.workspace.cwd) : '';
  } catch {
    return '';
  }
}

/** Limits of a wait. */
export interface WaitLimits {
  readonly timeoutMs: number;
  /** How long to wait after the call is cancelled, in milliseconds. Default: 0. */
  readonly graceMs?: number;
  /** Receives a function that starts the time limit again, with another length. */
  readonly onWait?: (restart: (timeoutMs: number) => void) => void;
}

/** The value that a wait received. Wrapped in an object so that a thenable is not awaited again. */
export interface Received<Value> {
  readonly value: Value;
}

/**
 * Waits for a value until a timeout or until the call is cancelled. Resolves to the value, `timeout` or `aborted`.
 * Rejects if the value rejects.
 */
export function raceCancellation<Value>(
  run: CallRun,
  { timeoutMs, graceMs = 0, onWait }: WaitLimits,
  value: Value | PromiseLike<Value>,
): Promise<Received<Value> | 'timeout' | 'aborted'> {
  const { signal } = run.options;
  const { deadlines } = run.config;
  return new Promise((resolve, fail) => {
    const deadline = { at: Date.now() + timeoutMs, expire: () => end(() => resolve('timeout')) };
    const grace = { at: 0, expire: () => end(() => resolve('aborted')) };
    const onAbort = (): void => {
      if (graceMs === 0) return grace.expire();
      grace.at = Date.now() + graceMs;
      deadlines.add(grace);
    };
    let hasEnded = false;
    const end = (answer: () => void): void => {
      hasEnded = true;
      deadlines.remove(deadline);
      deadlines.remove(grace);
      signal?.removeEventListener('abort', onAbort);
      answer();
    };
    deadlines.add(deadline);
    onWait?.((ms) => {
      if (hasEnded) return;
      deadlines.remove(deadline);
      deadline.at = Date.now() + ms;
      deadlines.add(deadline);
    });
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) onAbort();
    // Unlike `Promise.resolve`, this does not return a promise with an overridden `then` unchanged.
    new Promise<Value>((take) => take(value)).then(
      (received) => end(() => resolve({ value: received })),
      (error: unknown) => end(() => fail(error)),
    );
  });
}

/** Like {@link raceCancellation}, but ends the call if the wait fails. `what` names the awaited operation. */
export async function waitBounded<Value>(
  run: CallRun,
  limits: WaitLimits,
  value: Value | PromiseLike<Value>,
  what: string,
): Promise<Received<Value> | EarlyEnd> {
  const outcome = await raceCancellation(run, limits, value);
  if (outcome === 'aborted') return cancelAndEnd(run, 'ABORTED', `the call was cancelled while waiting for ${what}`);
  if (outcome === 'timeout') return cancelAndEnd(run, 'TIMEOUT', `${what} exceeded ${limits.timeoutMs} ms`);
  return outcome;
}
