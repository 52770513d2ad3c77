/**
 * Returns a trigger that runs the task. Any number of triggers during a run cause one more run. Errors are dropped: the
 * task reports its own.
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
        // The task reports its own errors.
      }
    } while (again);
  };
  return () => {
    again = true;
    running ??= run().finally(() => (running = undefined));
    return running;
  };
}
