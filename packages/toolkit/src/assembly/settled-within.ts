/**
 * Waits until all have resolved, but no longer than that: what is late goes on by itself. Rejects as the first that does,
 * which only a mistake of the program's leads to.
 */
export async function settledWithin(starting: readonly Promise<unknown>[], timeoutMs: number): Promise<void> {
  if (starting.length === 0) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  const all = Promise.all(starting);
  // What is late may fail when nobody waits for it any more.
  all.catch(() => undefined);
  try {
    await Promise.race([all, late]);
  } finally {
    clearTimeout(timer);
  }
}
