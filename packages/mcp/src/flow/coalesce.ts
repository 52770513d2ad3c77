/**
 * Makes a trigger out of a task that may be asked for in bursts: while it runs, any number of requests become one more
 * run. What the task throws is dropped, so it reports for itself.
 */
export function coalesce(task: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let again = false;
  const run = async (): Promise<void> => {
    do {
      again = false;
      try {
        await task();
      } catch {
        // Said by the task itself.
      }
    } while (again);
  };
  return () => {
    again = true;
    running ??= run().finally(() => (running = undefined));
    return running;
  };
}
