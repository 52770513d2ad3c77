import type { Turns } from './take-walk-turns.ts';

/** Merges sorted lists. Yields to other work in between, because the lists may be very long. */
export async function mergeInTurns<Item>(
  lists: readonly (readonly Item[])[],
  isBefore: (left: Item, right: Item) => boolean,
  turns: Turns,
): Promise<readonly Item[]> {
  let pending = lists;
  while (pending.length > 1) {
    const merged: (readonly Item[])[] = [];
    for (let index = 0; index < pending.length; index += 2)
      merged.push(await mergeTwo(pending[index]!, pending[index + 1] ?? [], isBefore, turns));
    pending = merged;
  }
  return pending[0] ?? [];
}

async function mergeTwo<Item>(
  left: readonly Item[],
  right: readonly Item[],
  isBefore: (left: Item, right: Item) => boolean,
  turns: Turns,
): Promise<readonly Item[]> {
  if (right.length === 0) return left;
  const merged: Item[] = [];
  for (let at = 0, next = 0; at < left.length || next < right.length;) {
    const takesRight = at === left.length || (next < right.length && isBefore(right[next]!, left[at]!));
    merged.push(takesRight ? right[next++]! : left[at++]!);
    if (merged.length % 1_000 !== 0) continue;
    const turn = turns.next();
    if (turn !== undefined) await turn;
  }
  return merged;
}
