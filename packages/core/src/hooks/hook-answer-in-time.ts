/**
 * Returns the result of a user function, and waits until a timeout or until the signal aborts. Rejects with the error
 * of the function, or with an error that names the function that did not respond. The signal passed to the function
 * aborts when its result is no longer needed.
 *
 * @example
 * import { answerInTime } from '@haft/core/hooks';
 * await answerInTime('the price service', 1_000, async () => 42); // => 42
 */
export function answerInTime(
  who: string,
  timeoutMs: number,
  work: (signal: AbortSignal) => unknown,
  signal?: AbortSignal,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const given = new AbortController();
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    const fail = (reason: unknown): void => {
      end();
      reject(reason instanceof Error ? reason : new Error(`${who} threw a value that is not an Error`));
    };
    const giveUp = (reason: unknown): void => {
      given.abort(reason);
      fail(reason);
    };
    const onAbort = (): void => giveUp(signal?.reason ?? new DOMException('cancelled', 'AbortError'));
    const timer = setTimeout(
      () => giveUp(new DOMException(`${who} did not answer within ${timeoutMs} ms`, 'TimeoutError')),
      timeoutMs,
    );
    if (signal?.aborted) return onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    const answer = async (): Promise<void> => {
      try {
        const value = await work(given.signal);
        end();
        resolve(value);
      } catch (thrown) {
        fail(thrown);
      }
    };
    void answer();
  });
}
