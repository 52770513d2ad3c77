/** The longest time in milliseconds during which an operation blocked the event loop. */
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
  // A block during the last turn becomes visible only when that turn is over.
  await new Promise((resolve) => void setImmediate(resolve));
  return Math.max(longest, performance.now() - last);
}
