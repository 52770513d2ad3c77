/** An entry in the queue, linked to its neighbors. */
export interface Waiting<Item> {
  readonly item: Item;
  before: Waiting<Item> | undefined;
  after: Waiting<Item> | undefined;
  isIn: boolean;
}

/** A first-in, first-out queue. Entries can be removed from the middle in constant time. */
export interface WaitingLine<Item> {
  readonly size: number;
  readonly first: Item | undefined;
  join(item: Item): Waiting<Item>;
  /** Removes an entry. Does nothing if the entry was already removed. */
  leave(place: Waiting<Item>): void;
  takeFirst(): Item | undefined;
}

/** Creates an empty queue. It is a linked list, because a set keeps holes for removed entries. */
export function createWaitingLine<Item>(): WaitingLine<Item> {
  let head: Waiting<Item> | undefined;
  let tail: Waiting<Item> | undefined;
  let size = 0;
  const leave = (place: Waiting<Item>): void => {
    if (!place.isIn) return;
    place.isIn = false;
    size -= 1;
    if (place.before) place.before.after = place.after;
    else head = place.after;
    if (place.after) place.after.before = place.before;
    else tail = place.before;
  };
  return {
    get size() {
      return size;
    },
    get first() {
      return head?.item;
    },
    join(item) {
      const place: Waiting<Item> = { item, before: tail, after: undefined, isIn: true };
      if (tail) tail.after = place;
      else head = place;
      tail = place;
      size += 1;
      return place;
    },
    leave,
    takeFirst() {
      const first = head;
      if (first) leave(first);
      return first?.item;
    },
  };
}
