import { dirname } from 'node:path';

/** The folders above a path, innermost first. */
export function foldersAbove(path: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    folders.push(folder);
    if (folder === dirname(folder)) return folders;
  }
}

/**
 * Finds the first item that meets a condition, by binary search: the condition must then hold for all later items.
 * Returns the number of items when it holds for none.
 */
export async function findFirst<Item>(
  items: readonly Item[],
  holds: (item: Item) => Promise<boolean>,
): Promise<number> {
  let [low, high] = [0, items.length];
  while (low < high) {
    // The first item is the most frequent answer.
    const middle = low === 0 && high === items.length ? 0 : (low + high) >> 1;
    if (await holds(items[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
