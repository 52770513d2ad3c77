/** Where processes without anything to do wait for their next call. */
export interface IdlePool {
  /** Takes a seat; who has waited longest goes when there are too many. */
  sit(rest: () => void): void;
  leave(rest: () => void): void;
}

/** Makes a bench with so many seats: each process holds tens of megabytes whether it works or not. */
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
