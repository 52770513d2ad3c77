/** A call in a queue, which may start once everything it follows has ended. */
export interface QueuePosition {
  /** Number of positions it follows that have not ended. */
  waitsFor: number;
  readonly followers: QueuePosition[];
  isOver: boolean;
  /** Called when the last position it follows ends; not when it followed none from the start. */
  readonly onFree: () => void;
  /** True when it has nothing to do itself and ends with the last of those it follows. */
  isPassing: boolean;
}

/** Makes a position that follows no other yet. */
export function createPosition(onFree: () => void): QueuePosition {
  return { waitsFor: 0, followers: [], isOver: false, onFree, isPassing: false };
}

/** Makes one position wait for another, unless that one has ended. */
export function follow(position: QueuePosition, leader: QueuePosition): void {
  if (leader.isOver || leader === position) return;
  leader.followers.push(position);
  position.waitsFor += 1;
}

/** Ends a position and frees those that followed it alone. No recursion: followers may form long chains. */
export function endPosition(position: QueuePosition): void {
  const ending = [position];
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

/** Positions that are only ever awaited together: kept as one, so that waiting for all of them costs no more. */
export class PositionGroup {
  #together: QueuePosition | undefined;
  #fresh: QueuePosition[] = [];

  add(position: QueuePosition): void {
    this.#fresh.push(position);
  }

  clear(): void {
    this.#together = undefined;
    this.#fresh = [];
  }

  /** Whether all of them are over; forgets those that are. */
  get isOver(): boolean {
    this.#fresh = this.#fresh.filter((position) => !position.isOver);
    if (this.#together?.isOver) this.#together = undefined;
    return this.#together === undefined && this.#fresh.length === 0;
  }

  /** A position that is over when all of them are; `undefined` when they are already. */
  asOne(): QueuePosition | undefined {
    if (this.isOver) return undefined;
    const open = this.#together ? [...this.#fresh, this.#together] : this.#fresh;
    this.#fresh = [];
    if (open.length === 1) return (this.#together = open[0]);
    const together = { ...createPosition(() => undefined), isPassing: true };
    for (const position of open) follow(together, position);
    return (this.#together = together);
  }
}
