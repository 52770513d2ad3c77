import type { CallRun } from './call-run.ts';
import { reject, type Rejection } from './rejection.ts';

/** How long a wait may last. */
export interface WaitLimits {
  readonly timeoutMs: number;
  /** How long to go on after the call was cancelled, in milliseconds; default 0. */
  readonly graceMs?: number;
}

/**
 * Waits for a value, but no longer than a time and no longer than until the call is cancelled.
 * Resolves to the value, to `timeout` or to `aborted`; rejects as the value does.
 */
export function raceCancellation<Value>(
  run: CallRun,
  { timeoutMs, graceMs = 0 }: WaitLimits,
  value: Value | PromiseLike<Value>,
): Promise<Value | 'timeout' | 'aborted'> {
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
    Promise.resolve(value).then(
      (settled) => end(() => resolve(settled)),
      (error: unknown) => end(() => fail(error)),
    );
  });
}

/** The same, with what ended the wait as a rejection of the call; `what` says what was waited for. */
export async function waitBounded<Value>(
  run: CallRun,
  limits: WaitLimits,
  value: PromiseLike<Value>,
  what: string,
): Promise<Value | Rejection> {
  const outcome = await raceCancellation(run, limits, value);
  if (outcome === 'aborted') return reject('ABORTED', `the call was cancelled: ${what} had not ended`);
  if (outcome === 'timeout') return reject('TIMEOUT', `${what} did not end in ${limits.timeoutMs} ms`);
  return outcome;
}
