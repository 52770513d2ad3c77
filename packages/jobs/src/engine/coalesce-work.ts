/** Runs work of a worker on the database. */
export interface Coalescer {
  /**
   * Returns a function that runs the work, never twice at the same time. A request during a run starts one more run after
   * it. A failure is only reported.
   */
  readonly coalesce: (doing: string, work: () => Promise<void>) => () => Promise<void>;
  /** Resolves when all work that is under way has ended. */
  readonly settled: () => Promise<unknown>;
}

/** Creates a coalescer, which reports failures to `warn`. */
export function createCoalescer(warn: (doing: string, error: unknown) => void): Coalescer {
  const underWay = new Set<Promise<void>>();
  return {
    coalesce(doing, work) {
      let current: Promise<void> | undefined;
      let isAgain = false;
      return () => {
        isAgain = true;
        current ??= (async () => {
          while (isAgain) {
            isAgain = false;
            await work().catch((error: unknown) => warn(doing, error));
          }
          if (current !== undefined) underWay.delete(current);
          current = undefined;
        })();
        underWay.add(current);
        return current;
      };
    },
    settled: () => Promise.all(underWay),
  };
}
