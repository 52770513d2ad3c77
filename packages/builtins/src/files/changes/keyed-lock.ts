/** Runs one piece of work at a time for each key, in the order they came; work with several keys waits for all of them. */
export type KeyedLock = <Value>(keys: string | readonly string[], work: () => Promise<Value>) => Promise<Value>;

/** Makes a lock that serves any number of keys and remembers only those in use. */
export function createKeyedLock(): KeyedLock {
  const tails = new Map<string, Promise<unknown>>();
  return async (keys, work) => {
    const mine = new Set(typeof keys === 'string' ? [keys] : keys);
    // All keys are queued for at once, so that no two pieces of work can wait for each other.
    const before = Promise.all([...mine].map((key) => tails.get(key) ?? Promise.resolve()));
    const done = before.then(work);
    // What follows waits for the end, whichever it is.
    const tail = done.catch(() => undefined);
    for (const key of mine) tails.set(key, tail);
    try {
      return await done;
    } finally {
      for (const key of mine) if (tails.get(key) === tail) tails.delete(key);
    }
  };
}
