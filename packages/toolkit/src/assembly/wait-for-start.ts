/**
 * Waits until all promises have resolved or the timeout has passed. Late promises continue in the background. Rejects
 * with the first rejection, which only misuse by the program causes.
 */
export async function waitForStart(starting: readonly Promise<unknown>[], timeoutMs: number): Promise<void> {
  if (starting.length === 0) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  const all = Promise.all(starting);
  // Prevents an unhandled rejection if a promise fails after the timeout.
  all.catch(() => undefined);
  try {
    await Promise.race([all, late]);
  } finally {
    clearTimeout(timer);
  }
}
