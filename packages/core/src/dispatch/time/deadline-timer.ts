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

type TimerHandle = ReturnType<typeof setTimeout> & { ref?: () => void; unref?: () => void };

/** The longest time that timers everywhere can count, in milliseconds. */
const longest = 2_000_000_000;

/**
 * Serves any number of deadlines with one timer, since a timer for every call costs more than the call.
 * The timer is armed for the earliest deadline; it keeps a process alive only while a deadline is pending.
 */
export function createDeadlineTimer(): DeadlineTimer {
  // A ring: who is linked is pending. Cheaper than a set, which has to hash every call.
  const ring: Deadline = { at: Infinity, expire: () => undefined };
  ring.earlier = ring;
  ring.later = ring;
  let timer: TimerHandle | undefined;
  let armedFor = Infinity;

  const arm = (at: number): void => {
    if (timer !== undefined) clearTimeout(timer);
    armedFor = at;
    timer = setTimeout(fire, Math.min(Math.max(0, at - Date.now()), longest));
  };
  const fire = (): void => {
    timer = undefined;
    armedFor = Infinity;
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
      const isFirst = ring.later === ring;
      deadline.earlier = ring.earlier;
      deadline.later = ring;
      ring.earlier!.later = deadline;
      ring.earlier = deadline;
      if (timer === undefined || deadline.at < armedFor) arm(deadline.at);
      else if (isFirst) timer.ref?.();
    },
    remove(deadline) {
      if (unlink(deadline) && ring.later === ring) timer?.unref?.();
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
