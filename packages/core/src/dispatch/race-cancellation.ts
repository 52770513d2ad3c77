import type { CallRun } from './call-run.ts';

/**
 * Waits for a value, but no longer than a time and no longer than until the call is cancelled.
 * Resolves to the value, to `timeout` or to `aborted`; rejects as the value does.
 */
export function raceCancellation<Value>(
  run: CallRun,
  timeoutMs: number,
  value: Value | PromiseLike<Value>,
): Promise<Value | 'timeout' | 'aborted'> {
  const { signal } = run.circumstances;
  const { deadlines } = run.parts;
  return new Promise((resolve, reject) => {
    const deadline = { at: Date.now() + timeoutMs, expire: () => settle(() => resolve('timeout')) };
    const onAbort = (): void => settle(() => resolve('aborted'));
    const settle = (end: () => void): void => {
      deadlines.remove(deadline);
      signal?.removeEventListener('abort', onAbort);
      end();
    };
    deadlines.add(deadline);
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) onAbort();
    Promise.resolve(value).then(
      (settled) => settle(() => resolve(settled)),
      (error: unknown) => settle(() => reject(error)),
    );
  });
}
