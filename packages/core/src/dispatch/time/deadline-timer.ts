/** Something that ends at a moment; `expire` is called once, unless it was removed before. */
export interface Deadline {
  /** Milliseconds since the epoch; `Infinity` for never. */
  readonly at: number;
  expire(): void;
  /** Its neighbours among those that are pending; the timer's own. */
  earlier?: Deadline | undefined;
  later?: Deadline | undefined;
}

/** One timer for all deadlines of a dispatcher. */
export interface DeadlineTimer {
  add(deadline: Deadline): void;
  remove(deadline: Deadline): void;
}

/** The longest time that timers everywhere can count, in milliseconds. */
const longest = 2_000_000_000;
/** Milliseconds after which the timer first looks for deadlines that are still pending. */
const soon = 1;

/**
 * Serves any number of deadlines with one timer, since a timer for every call costs more than the call. Most bodies end
 * within a millisecond. So the first deadline starts a timer of a millisecond, and only for the deadlines that are pending
 * then is a timer armed for the earliest. A pending deadline keeps a process alive.
 */
export function createDeadlineTimer(): DeadlineTimer {
  // A ring: who is linked is pending. Cheaper than a set, which has to hash every call.
  const ring: Deadline = { at: Infinity, expire: () => undefined };
  ring.earlier = ring;
  ring.later = ring;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The moment that the timer is armed for; `undefined` while there is no timer, or only the one of a millisecond. */
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

/** False when it was not pending. */
function unlink(deadline: Deadline): boolean {
  if (deadline.later === undefined) return false;
  deadline.earlier!.later = deadline.later;
  deadline.later.earlier = deadline.earlier;
  deadline.earlier = undefined;
  deadline.later = undefined;
  return true;
}
