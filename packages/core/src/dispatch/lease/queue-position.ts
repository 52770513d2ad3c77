/** The position of a call in a queue. The call may start once all positions that it follows have ended. */
export interface QueuePosition {
  /** Number of unfinished positions that this position follows. */
  waitsFor: number;
  readonly followers: QueuePosition[];
  isOver: boolean;
  /** Called when the last followed position ends. Not called if the position never followed any. */
  readonly onFree: () => void;
  /** True if the position has no work of its own and ends together with the last position that it follows. */
  isPassing: boolean;
}

/** Creates a position that follows no others. */
export function createPosition(onFree: () => void): QueuePosition {
  return { waitsFor: 0, followers: [], isOver: false, onFree, isPassing: false };
}

/** Makes one position wait for another, unless the other has ended. */
export function follow(position: QueuePosition, leader: QueuePosition): void {
  if (leader.isOver || leader === position) return;
  leader.followers.push(position);
  position.waitsFor += 1;
}

/** Ends a position and frees the positions that waited only for it. Iterative, because chains can be long. */
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

/** A group of positions that others only await together. It is stored as one position to keep waiting cheap. */
export class PositionGroup {
  #together: QueuePosition | undefined;
  #fresh: QueuePosition[] = [];

  add(position: QueuePosition): void {
    this.#fresh.push(position);
  }

  clear(): void {
    this.#together = undefined;
    if (this.#fresh.length > 0) this.#fresh = [];
  }

  /** Whether all positions have ended. Discards ended positions. */
  get isOver(): boolean {
    if (this.#fresh.length > 0) this.#fresh = this.#fresh.filter((position) => !position.isOver);
    if (this.#together?.isOver) this.#together = undefined;
    return this.#together === undefined && this.#fresh.length === 0;
  }

  /** Returns one position that ends when the whole group has ended, or `undefined` if it has already ended. */
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
