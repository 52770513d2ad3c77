import { dirname } from 'node:path';

/** Returns the parent folders of a path, innermost first. */
export function foldersAbove(path: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    folders.push(folder);
    if (folder === dirname(folder)) return folders;
  }
}

/**
 * Finds the first item that satisfies a condition, by binary search. All later items must satisfy the condition too.
 * Returns the number of items if no item satisfies it.
 */
export async function findFirst<Item>(
  items: readonly Item[],
  holds: (item: Item) => Promise<boolean>,
): Promise<number> {
  let [low, high] = [0, items.length];
  while (low < high) {
    // Checks the first item first, because it is the most frequent result.
    const middle = low === 0 && high === items.length ? 0 : (low + high) >> 1;
    if (await holds(items[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
