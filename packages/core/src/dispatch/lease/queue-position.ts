/** Something that may go on once everything it follows has ended. */
export interface QueuePosition {
  /** How much of what it follows has not ended. */
  waitsFor: number;
  readonly followers: QueuePosition[];
  isOver: boolean;
  /** Called when nothing is left that it has to wait for; not when there was nothing from the start. */
  readonly onFree: () => void;
  /** It has nothing to do itself and ends with the last of those it follows. */
  isPassing: boolean;
}

/** Makes a turn that follows nobody yet. */
export function createPosition(onFree: () => void): QueuePosition {
  return { waitsFor: 0, followers: [], isOver: false, onFree, isPassing: false };
}

/** Makes one turn wait for another; for one that is over there is nothing to wait for. */
export function follow(turn: QueuePosition, leader: QueuePosition): void {
  if (leader.isOver || leader === turn) return;
  leader.followers.push(turn);
  turn.waitsFor += 1;
}

/** Ends a turn and frees those that followed it alone. No recursion: followers may form long chains. */
export function endPosition(turn: QueuePosition): void {
  const ending = [turn];
  for (let next = ending.pop(); next !== undefined; next = ending.pop()) {
    if (next.isOver) continue;
    next.isOver = true;
    for (const follower of next.followers) {
      follower.waitsFor -= 1;
      if (follower.waitsFor > 0) continue;
      if (follower.isPassing) ending.push(follower);
      else follower.onFree();
    }
    next.followers.length = 0;
  }
}

/** Many turns that are only ever waited for together: kept as one, so that waiting for all of them costs no more. */
export class PositionGroup {
  #together: QueuePosition | undefined;
  #fresh: QueuePosition[] = [];

  add(turn: QueuePosition): void {
    this.#fresh.push(turn);
  }

  clear(): void {
    this.#together = undefined;
    this.#fresh = [];
  }

  /** Whether all of them are over; forgets those that are. */
  get isOver(): boolean {
    this.#fresh = this.#fresh.filter((turn) => !turn.isOver);
    if (this.#together?.isOver) this.#together = undefined;
    return this.#together === undefined && this.#fresh.length === 0;
  }

  /** A turn that is over when all of them are; `undefined` when they are already. */
  asOne(): QueuePosition | undefined {
    if (this.isOver) return undefined;
    const open = this.#together ? [...this.#fresh, this.#together] : this.#fresh;
    this.#fresh = [];
    if (open.length === 1) return (this.#together = open[0]);
    const together = { ...createPosition(() => undefined), isPassing: true };
    for (const turn of open) follow(together, turn);
    return (this.#together = together);
  }
}
