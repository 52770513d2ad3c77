/** Items in order of their positions, regardless of insertion order. */
export interface OrderedQueue<Item> {
  add(item: Item): void;
  remove(item: Item): void;
  /** Removes and returns the first item that passes the test. Without a test, the first item. */
  take(test?: (item: Item) => boolean): Item | undefined;
  /** Removes and returns the first item if it passes the test. */
  takeFirst(test: (item: Item) => boolean): Item | undefined;
}

/** Creates a queue that is fast when items arrive nearly in order and leave from the front. */
export function createOrderedQueue<Item extends { readonly position: number }>(): OrderedQueue<Item> {
  let items: Item[] = [];
  /** Items before this index have been removed. Removing them from the array one by one would take linear time. */
  let head = 0;
  const takeAt = (at: number): Item | undefined => {
    if (at > head) return items.splice(at, 1)[0];
    const item = items[head];
    head += 1;
    if (head > 64 && head * 2 > items.length) {
      items = items.slice(head);
      head = 0;
    }
    return item;
  };
  return {
    add(item) {
      let at = items.length;
      while (at > head && items[at - 1]!.position > item.position) at -= 1;
      if (at === items.length) items.push(item);
      else items.splice(at, 0, item);
    },
    remove(item) {
      const at = items.indexOf(item, head);
      if (at !== -1) takeAt(at);
    },
    take(test) {
      if (test === undefined) return head < items.length ? takeAt(head) : undefined;
      for (let at = head; at < items.length; at += 1) if (test(items[at]!)) return takeAt(at);
      return undefined;
    },
    takeFirst(test) {
      return head < items.length && test(items[head]!) ? takeAt(head) : undefined;
    },
  };
}
