/** Runs one piece of work at a time for each key, in the order they came. */
export type KeyedLock = <Value>(key: string, work: () => Promise<Value>) => Promise<Value>;

/** Makes a lock that serves any number of keys and remembers only those in use. */
export function createKeyedLock(): KeyedLock {
  const tails = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = tails.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    // What follows waits for the end, whichever it is.
    const tail = mine.catch(() => undefined);
    tails.set(key, tail);
    try {
      return await mine;
    } finally {
      if (tails.get(key) === tail) tails.delete(key);
    }
  };
}
