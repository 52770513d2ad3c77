import type { CallRun } from './call-run.ts';
import { stop, type Stop } from './stop.ts';

/** Limits of a wait. */
export interface WaitLimits {
  readonly timeoutMs: number;
  /** How long to wait after the call is cancelled, in milliseconds. Default: 0. */
  readonly graceMs?: number;
}

/** The value of a wait. Wrapped in an object so that a thenable is not awaited again. */
export interface Settled<Value> {
  readonly value: Value;
}

/**
 * Waits for a value until a timeout or until the call is cancelled. Resolves to the value, `timeout` or `aborted`.
 * Rejects if the value rejects.
 */
export function raceCancellation<Value>(
  run: CallRun,
  { timeoutMs, graceMs = 0 }: WaitLimits,
  value: Value | PromiseLike<Value>,
): Promise<Settled<Value> | 'timeout' | 'aborted'> {
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
    const end = (settle: () => void): void => {
      deadlines.remove(deadline);
      deadlines.remove(grace);
      signal?.removeEventListener('abort', onAbort);
      settle();
    };
    deadlines.add(deadline);
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) onAbort();
    // Unlike `Promise.resolve`, this does not return a promise with an overridden `then` unchanged.
    new Promise<Value>((take) => take(value)).then(
      (settled) => end(() => resolve({ value: settled })),
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
): Promise<Settled<Value> | Stop> {
  const outcome = await raceCancellation(run, limits, value);
  if (outcome === 'aborted') return cancelAndStop(run, 'ABORTED', `the call was cancelled while waiting for ${what}`);
  if (outcome === 'timeout') return cancelAndStop(run, 'TIMEOUT', `${what} exceeded ${limits.timeoutMs} ms`);
  return outcome;
}

/** Ends the call and aborts its signal to stop pending work. */
export function cancelAndStop(run: CallRun, code: 'ABORTED' | 'TIMEOUT', message: string): Stop {
  run.cancel(message, code === 'TIMEOUT');
  return stop(code, message);
}

/** Ends a call that was cancelled before its body started. */
export function stopIfAborted(run: CallRun): Stop | undefined {
  return run.isAborted ? stop('ABORTED', 'the call was cancelled before it ran') : undefined;
}
