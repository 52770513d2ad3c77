/** Groups consecutive items with the same key. */
export function groupRuns<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly (readonly Item[])[] {
  const groups: Item[][] = [];
  let last: string | undefined;
  for (const item of items) {
    const key = keyOf(item);
    if (key === last) groups.at(-1)!.push(item);
    else groups.push([item]);
    last = key;
  }
  return groups;
}
