/**
 * What work that others wrote comes to, waited for no longer than a time or until the signal aborts. Rejects with what it
 * throws, or with an error that says who did not answer; the work's own signal aborts when nobody waits for it any more.
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
      reject(reason instanceof Error ? reason : new Error(`${who} threw what is no error`));
    };
    const giveUp = (reason: unknown): void => {
      given.abort(reason);
      fail(reason);
    };
    const onAbort = (): void => giveUp(signal?.reason ?? new DOMException('cancelled', 'AbortError'));
    const timer = setTimeout(
      () => giveUp(new DOMException(`${who} did not answer in ${timeoutMs} ms`, 'TimeoutError')),
      timeoutMs,
    );
    if (signal?.aborted) return onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    const settle = async (): Promise<void> => {
      try {
        const value = await work(given.signal);
        end();
        resolve(value);
      } catch (thrown) {
        fail(thrown);
      }
    };
    void settle();
  });
}
