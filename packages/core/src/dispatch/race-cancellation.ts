import type { CallRun } from './call-run.ts';
import { reject, type Rejection } from './rejection.ts';

/** How long a wait may last. */
export interface WaitLimits {
  readonly timeoutMs: number;
  /** How long to go on after the call was cancelled, in milliseconds; default 0. */
  readonly graceMs?: number;
}

/** What came of a wait: in a box, since a value that could be waited for again must not be. */
export interface Settled<Value> {
  readonly value: Value;
}

/**
 * Waits for a value, but no longer than a time and no longer than until the call is cancelled.
 * Resolves to the value, to `timeout` or to `aborted`; rejects as the value does.
 */
export function raceCancellation<Value>(
  run: CallRun,
  { timeoutMs, graceMs = 0 }: WaitLimits,
  value: Value | PromiseLike<Value>,
): Promise<Settled<Value> | 'timeout' | 'aborted'> {
  const { signal } = run.circumstances;
  const { deadlines } = run.parts;
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
    // Resolving, and not `Promise.resolve`, which hands a promise with a `then` of its own back as it is.
    new Promise<Value>((take) => take(value)).then(
      (settled) => end(() => resolve({ value: settled })),
      (error: unknown) => end(() => fail(error)),
    );
  });
}

/** The same, with what ended the wait as a rejection of the call; `what` says what was waited for. */
export async function waitBounded<Value>(
  run: CallRun,
  limits: WaitLimits,
  value: Value | PromiseLike<Value>,
  what: string,
): Promise<Settled<Value> | Rejection> {
  const outcome = await raceCancellation(run, limits, value);
  if (outcome === 'aborted') return stop(run, 'ABORTED', `the call was cancelled: ${what} had not ended`);
  if (outcome === 'timeout') return stop(run, 'TIMEOUT', `${what} did not end in ${limits.timeoutMs} ms`);
  return outcome;
}

/** Ends the call, and tells whoever still works for it. */
export function stop(run: CallRun, code: 'ABORTED' | 'TIMEOUT', message: string): Rejection {
  run.cancel(message, code === 'TIMEOUT');
  return reject(code, message);
}
