/** Items in order of their positions, whatever the order in which they come. */
export interface OrderedQueue<Item> {
  add(item: Item): void;
  remove(item: Item): void;
  /** Takes out the first item that passes a test; without one, the first. */
  take(test?: (item: Item) => boolean): Item | undefined;
  /** Takes out the first item, if it passes a test. */
  takeFirst(test: (item: Item) => boolean): Item | undefined;
}

/** Makes a queue that is cheap where items come nearly in order and leave from the front. */
export function createOrderedQueue<Item extends { readonly position: number }>(): OrderedQueue<Item> {
  let items: Item[] = [];
  /** What stands before it has left: moving the rest up for every one of them would cost its length. */
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
