/** When calls may start that share a rate: at most so many in any stretch of time. */
export interface StartTimes {
  /** Milliseconds until the call may start that has so many before it, as far as the rate is concerned. */
  waitBehind(before: number): number;
  /** Notes that a call starts now. */
  note(): void;
}

/** Remembers no more than the last `calls` starts; asking and noting cost the same however many calls there are. */
export function createStartTimes(calls: number, perMs: number, now: () => number): StartTimes {
  /** The starts that still count, as a ring once there are enough of them. */
  const starts: number[] = [];
  let oldest = 0;
  /** Ours never goes back: a call would be held up until a clock that was put right has caught up. */
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
      // Who has room now starts now; whoever comes a whole round later has to wait a whole stretch longer.
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
