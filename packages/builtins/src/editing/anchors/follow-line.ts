/** The index of a line after a change, or why it is unknown. */
export type Followed = number | 'gone' | 'unsure';

/**
 * Finds the line of a changed text that corresponds to a line of the original text. The result is known for lines in
 * the common prefix or suffix, unless the two disagree, and for lines that are unique in both texts.
 */
export function followLine(before: readonly string[], after: readonly string[], index: number): Followed {
  const shorter = Math.min(before.length, after.length);
  const moved = after.length - before.length;
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  const isInHead = index < head;
  const isInTail = index >= before.length - tail;
  if (isInHead && isInTail && moved !== 0) return 'unsure';
  if (isInHead) return index;
  if (isInTail) return index + moved;
  const line = before[index]!;
  const found = after.indexOf(line);
  if (found === -1) return 'gone';
  const isSingle = before.indexOf(line) === before.lastIndexOf(line) && found === after.lastIndexOf(line);
  return isSingle ? found : 'unsure';
}
