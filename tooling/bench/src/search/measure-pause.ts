/** The longest time in which nothing else could run while something was done, in milliseconds. */
export async function measurePause(run: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  let isOver = false;
  const tick = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  await run();
  isOver = true;
  // What held up the last turn is seen only when that is over.
  await new Promise((resolve) => void setImmediate(resolve));
  return Math.max(longest, performance.now() - last);
}
