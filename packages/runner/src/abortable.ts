/** Waits for a promise until the signal aborts, then rejects with the signal's reason. */
export function untilAborted<Value>(signal: AbortSignal | undefined, value: Promise<Value>): Promise<Value> {
  if (!signal) return value;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(asError(signal.reason));
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** Waits some milliseconds, or until the signal aborts. Never rejects. */
export function pause(signal: AbortSignal | undefined, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end, { once: true });
    if (signal?.aborted) end();
  });
}

/** Returns a signal that aborts with the first of two. Either may be missing. */
export function eitherSignal(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined {
  return one && other ? AbortSignal.any([one, other]) : (one ?? other);
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new DOMException('The run was aborted.', 'AbortError');
}
