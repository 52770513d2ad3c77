/** Creates a semaphore with a number of slots. Further tasks wait in order of arrival. */
export type Semaphore = <Value>(task: () => Promise<Value>) => Promise<Value>;

export function createSemaphore(maxConcurrent: number): Semaphore {
  const waiting: (() => void)[] = [];
  let inside = 0;
  return async (task) => {
    // A finished task hands its slot to the next waiting one.
    if (inside >= maxConcurrent) await new Promise<void>((resolve) => waiting.push(resolve));
    else inside += 1;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else inside -= 1;
    }
  };
}
