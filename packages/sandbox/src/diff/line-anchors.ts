/** A line that both texts contain, by its index in each. */
export interface Anchor {
  readonly left: number;
  readonly right: number;
}

/**
 * Returns the lines that occur exactly once in both texts, as many as have the same order in both (patience diff, B.
 * Cohen).
 */
export function findAnchors(left: readonly number[], right: readonly number[]): Anchor[] {
  const leftIndex = indexUniques(left);
  const rightIndex = indexUniques(right);
  const candidates: Anchor[] = [];
  for (const [line, index] of leftIndex) {
    const other = rightIndex.get(line);
    if (index !== repeated && other !== undefined && other !== repeated) candidates.push({ left: index, right: other });
  }
  candidates.sort((first, second) => first.left - second.left);
  return findLongestRising(candidates);
}

const repeated = -1;

function indexUniques(lines: readonly number[]): Map<number, number> {
  const indices = new Map<number, number>();
  lines.forEach((line, index) => indices.set(line, indices.has(line) ? repeated : index));
  return indices;
}

/** Returns the longest increasing subsequence of right indexes, by patience sorting. */
function findLongestRising(candidates: readonly Anchor[]): Anchor[] {
  const tops: number[] = [];
  const previous: number[] = [];
  candidates.forEach(({ right }, index) => {
    let [low, high] = [0, tops.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((candidates[tops[middle] ?? 0]?.right ?? 0) < right) low = middle + 1;
      else high = middle;
    }
    previous.push(low === 0 ? -1 : (tops[low - 1] ?? -1));
    tops[low] = index;
  });
  const chosen: Anchor[] = [];
  for (let index = tops.at(-1) ?? -1; index !== -1; index = previous[index] ?? -1) {
    const anchor = candidates[index];
    if (anchor !== undefined) chosen.push(anchor);
  }
  return chosen.toReversed();
}
