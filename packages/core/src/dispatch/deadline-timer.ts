/** Something that ends at a moment; `expire` is called once, unless it was removed before. */
export interface Deadline {
  readonly at: number;
  expire(): void;
}

/** One timer for all deadlines of a dispatcher. */
export interface DeadlineTimer {
  add(deadline: Deadline): void;
  remove(deadline: Deadline): void;
}

type TimerHandle = ReturnType<typeof setTimeout> & { ref?: () => void; unref?: () => void };

/**
 * Serves any number of deadlines with one timer, since a timer for every call costs more than the call.
 * The timer is armed for the earliest deadline; it keeps a process alive only while a deadline is pending.
 */
export function createDeadlineTimer(): DeadlineTimer {
  const pending = new Set<Deadline>();
  let timer: TimerHandle | undefined;
  let armedFor = Infinity;

  const arm = (at: number): void => {
    if (timer !== undefined) clearTimeout(timer);
    armedFor = at;
    timer = setTimeout(fire, Math.min(Math.max(0, at - Date.now()), 2_000_000_000));
  };
  const fire = (): void => {
    timer = undefined;
    armedFor = Infinity;
    const now = Date.now();
    let earliest = Infinity;
    for (const deadline of pending) {
      if (deadline.at <= now) {
        pending.delete(deadline);
        deadline.expire();
      } else {
        earliest = Math.min(earliest, deadline.at);
      }
    }
    if (earliest < Infinity) arm(earliest);
  };
  return {
    add(deadline) {
      pending.add(deadline);
      if (deadline.at < armedFor) arm(deadline.at);
      else if (pending.size === 1) timer?.ref?.();
    },
    remove(deadline) {
      if (pending.delete(deadline) && pending.size === 0) timer?.unref?.();
    },
  };
}
