/** A key with case, underscores, hyphens and spaces taken out: `start_line`, `startLine` and `Start-Line` fold alike. */
export function foldKey(key: string): string {
  return key.replaceAll(/[-_\s]/g, '').toLowerCase();
}

/**
 * The one known key that a mistaken key most likely means, or `undefined` when none is near or two are equally near.
 * A spelling variant wins; then the fewest typing slips, at most one for every three characters.
 */
export function findClosestKey(key: string, known: readonly string[]): string | undefined {
  const folded = foldKey(key);
  const variants = known.filter((candidate) => foldKey(candidate) === folded);
  if (variants.length > 0) return variants.length === 1 ? variants[0] : undefined;
  if (folded.length < 3 || folded.length > 64) return undefined;
  let best: string | undefined;
  let bestDistance = Math.floor(folded.length / 3) + 1;
  for (const candidate of known) {
    const distance = countSlips(folded, foldKey(candidate), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    } else if (distance === bestDistance) {
      best = undefined;
    }
  }
  return best;
}

/** Typing slips between two words: insertions, deletions, replacements and swapped neighbours; gives up at `limit`. */
function countSlips(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const same = left[i - 1] === right[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[right.length] ?? limit + 1;
}
