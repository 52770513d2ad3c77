/**
 * Tracks the start times of calls that share a rate limit: at most `calls` starts in any period of `perMs`
 * milliseconds.
 */
export interface StartTimes {
  /** Returns the milliseconds until a call with this number of calls ahead of it may start, according to the rate. */
  waitBehind(before: number): number;
  /** Records that a call starts now. */
  note(): void;
}

/** Creates a tracker that stores only the last `calls` start times. Both operations take constant time. */
export function createStartTimes(calls: number, perMs: number, now: () => number): StartTimes {
  /** Start times that still count, stored as a ring buffer once it is full. */
  const starts: number[] = [];
  let oldest = 0;
  /** A monotonic clock. If the system clock is set back, calls must not wait until it catches up. */
  let passed = 0;
  let last = now();
  const time = (): number => {
    const read = now();
    passed += Math.max(0, read - last);
    last = read;
    return passed;
  };
  return {
    waitBehind(before) {
      if (calls === Infinity) return 0;
      const rounds = Math.floor(before / calls);
      const place = before % calls;
      const present = time();
      // Calls within the free capacity start now. Each further full round of calls waits one more period.
      const known = place - (calls - starts.length);
      const start = known < 0 ? present : Math.max(present, starts[(oldest + known) % starts.length]! + perMs);
      return start + rounds * perMs - present;
    },
    note() {
      if (calls === Infinity) return;
      if (starts.length < calls) starts.push(time());
      else {
        starts[oldest] = time();
        oldest = (oldest + 1) % calls;
      }
    },
  };
}
