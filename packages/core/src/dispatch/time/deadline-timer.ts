/** An entry that expires at a given time. `expire` is called once, unless the entry is removed first. */
export interface Deadline {
  /** Milliseconds since the epoch. `Infinity` means never. */
  readonly at: number;
  expire(): void;
  /** Neighbors in the list of pending deadlines. Only the timer uses them. */
  earlier?: Deadline | undefined;
  later?: Deadline | undefined;
}

/** One timer for all deadlines of a dispatcher. */
export interface DeadlineTimer {
  add(deadline: Deadline): void;
  remove(deadline: Deadline): void;
}

/** Maximum delay in milliseconds that timers support on all platforms. */
const longest = 2_000_000_000;
/** Delay in milliseconds before the timer first checks for pending deadlines. */
const soon = 1;

/**
 * Creates one timer for any number of deadlines, since a timer per call would cost more than the call. Most bodies end
 * within a millisecond, so the timer waits one millisecond after the first deadline was added, and only then until the
 * earliest pending deadline. A pending deadline keeps the process alive.
 */
export function createDeadlineTimer(): DeadlineTimer {
  // The pending deadlines as a circular list, which is faster than a set.
  const ring: Deadline = { at: Infinity, expire: () => undefined };
  ring.earlier = ring;
  ring.later = ring;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** When the running timer fires. `undefined` if no timer runs, or only the initial one. */
  let armedFor: number | undefined;

  const arm = (at: number): void => {
    clearTimeout(timer);
    armedFor = at;
    timer = setTimeout(fire, Math.min(Math.max(0, at - Date.now()), longest));
  };
  const fire = (): void => {
    timer = undefined;
    armedFor = undefined;
    const now = Date.now();
    const due: Deadline[] = [];
    let next: number | undefined;
    for (let one = ring.later!; one !== ring; one = one.later!) {
      if (one.at > now) next = Math.min(next ?? Infinity, one.at);
      else due.push(one);
    }
    if (next !== undefined) arm(next);
    for (const one of due) if (unlink(one)) one.expire();
  };
  return {
    add(deadline) {
      if (deadline.later !== undefined) return;
      deadline.earlier = ring.earlier;
      deadline.later = ring;
      ring.earlier!.later = deadline;
      ring.earlier = deadline;
      if (timer === undefined) timer = setTimeout(fire, soon);
      else if (armedFor !== undefined && deadline.at < armedFor) arm(deadline.at);
    },
    remove(deadline) {
      if (!unlink(deadline) || ring.later !== ring || armedFor === undefined) return;
      clearTimeout(timer);
      timer = undefined;
      armedFor = undefined;
    },
  };
}

/** Returns false if the deadline was not pending. */
function unlink(deadline: Deadline): boolean {
  if (deadline.later === undefined) return false;
  deadline.earlier!.later = deadline.later;
  deadline.later.earlier = deadline.earlier;
  deadline.earlier = undefined;
  deadline.later = undefined;
  return true;
}
