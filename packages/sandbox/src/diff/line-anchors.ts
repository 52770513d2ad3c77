/** A line both texts have, by its index in each. */
export interface Anchor {
  readonly left: number;
  readonly right: number;
}

/** The lines that occur once in either text, as many of them as stand in the same order in both (patience diff, B. Cohen). */
export function findAnchors(left: readonly number[], right: readonly number[]): Anchor[] {
  const leftIndex = indexUniques(left);
  const rightIndex = indexUniques(right);
  const candidates: Anchor[] = [];
  for (const [line, index] of leftIndex) {
    const other = rightIndex.get(line);
    if (index !== repeated && other !== undefined && other !== repeated) candidates.push({ left: index, right: other });
  }
  candidates.sort((first, second) => first.left - second.left);
  return longestRising(candidates);
}

const repeated = -1;

function indexUniques(lines: readonly number[]): Map<number, number> {
  const indices = new Map<number, number>();
  lines.forEach((line, index) => indices.set(line, indices.has(line) ? repeated : index));
  return indices;
}

/** The longest choice whose right indices rise: each candidate is put on the pile whose top is the next greater one. */
function longestRising(candidates: readonly Anchor[]): Anchor[] {
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
