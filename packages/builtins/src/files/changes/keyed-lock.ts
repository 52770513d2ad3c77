/** Runs tasks with a common key one at a time, in order of arrival. A task with several keys waits for all of them. */
export type KeyedLock = <Value>(keys: string | readonly string[], work: () => Promise<Value>) => Promise<Value>;

/** Creates a lock for any number of keys. It stores only the keys in use. */
export function createKeyedLock(): KeyedLock {
  const tails = new Map<string, Promise<unknown>>();
  return async (keys, work) => {
    const mine = new Set(typeof keys === 'string' ? [keys] : keys);
    // Queues for all keys at once, so that two tasks can't wait for each other.
    const before = Promise.all([...mine].map((key) => tails.get(key) ?? Promise.resolve()));
    const done = before.then(work);
    // The next task starts when this one has ended, even if it failed.
    const tail = done.catch(() => undefined);
    for (const key of mine) tails.set(key, tail);
    try {
      return await done;
    } finally {
      for (const key of mine) if (tails.get(key) === tail) tails.delete(key);
    }
  };
}
