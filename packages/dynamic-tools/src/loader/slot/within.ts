/** Waits for a promise, but no longer than a time; false when the time was up. */
export function within(timeoutMs: number, promise: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(false), timeoutMs);
    promise.then(() => resolve(true), reject).finally(() => clearTimeout(timer));
  });
}
