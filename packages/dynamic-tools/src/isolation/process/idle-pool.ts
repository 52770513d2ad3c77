/** Limits the number of idle processes. */
export interface IdlePool {
  /** Adds an idle process. Ends the one that has been idle longest if there are too many. */
  sit(rest: () => void): void;
  leave(rest: () => void): void;
}

/** Creates a pool with a maximum size. Each process takes tens of megabytes, even if it is idle. */
export function createIdlePool(seats: number): IdlePool {
  const seated = new Set<() => void>();
  return {
    sit(rest) {
      seated.add(rest);
      const [maxTimerMs] = seated;
      if (seated.size > seats) maxTimerMs?.();
    },
    leave: (rest) => void seated.delete(rest),
  };
}
