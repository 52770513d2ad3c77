/** Waits for a promise with a time limit. Resolves to false if the limit was reached. */
export function within(timeoutMs: number, promise: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(false), timeoutMs);
    promise.then(() => resolve(true), reject).finally(() => clearTimeout(timer));
  });
}
