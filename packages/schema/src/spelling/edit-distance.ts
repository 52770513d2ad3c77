/**
 * Counts the typing slips between two words: insertions, deletions, replacements and swapped neighbours (optimal string alignment).
 * Gives up at more than `limit`, by default never.
 *
 * @example
 * import { countSlips } from '@haft/schema/spelling';
 * countSlips('recieve', 'receive'); // => 1
 */
export function countSlips(left: string, right: string, limit: number = Infinity): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= right.length; j += 1) {
      const same = left[i - 1] === right[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      }
      least = Math.min(least, cost);
      row.push(cost);
    }
    // The distance can only grow from here. A swap from the previous row could still have saved one.
    if (least > limit + 1) return limit + 1;
    beforeLast = last;
    last = row;
  }
  return last[right.length] ?? limit + 1;
}
