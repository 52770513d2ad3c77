/**
 * The known names most like an unknown one, best first, at most `limit`.
 * Likeness is edit distance over names without case and separators, with a bonus for shared words;
 * names that have little in common are left out. O(known × length²), for the error path only.
 */
export function findNearestNames(unknown: string, known: readonly string[], limit = 3): readonly string[] {
  const target = squeeze(unknown.slice(0, 64));
  const targetWords = words(unknown);
  const scored: { readonly name: string; readonly score: number }[] = [];
  for (const name of known) {
    const candidate = squeeze(name);
    const distance = editDistance(target, candidate) / Math.max(target.length, candidate.length, 1);
    const shared = words(name).filter((word) => targetWords.includes(word)).length;
    const score = distance - 0.25 * shared - (candidate.includes(target) || target.includes(candidate) ? 0.2 : 0);
    if (score <= 0.45) scored.push({ name, score });
  }
  scored.sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1));
  return scored.slice(0, limit).map((entry) => entry.name);
}

function squeeze(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function words(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 2);
}

/** Edit distance in which two swapped neighbours count once (optimal string alignment), with three rows. */
function editDistance(a: string, b: string): number {
  let beforePrevious: readonly number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      let cost = Math.min(previous[column]! + 1, current[column - 1]! + 1, previous[column - 1]! + (isSame ? 0 : 1));
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (isSwap) cost = Math.min(cost, beforePrevious[column - 2]! + 1);
      current.push(cost);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length]!;
}
