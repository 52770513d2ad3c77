const largestTable = 1_000_000;

/**
 * Aligns two texts by their common lines. Returns, for each new line, the index of the equal old line, or -1. Computes
 * a longest common subsequence if the texts are short enough, otherwise only the common prefix and suffix.
 */
export function alignLines(oldLines: readonly string[], newLines: readonly string[]): Int32Array {
  const pairs = new Int32Array(newLines.length).fill(-1);
  let head = 0;
  while (head < oldLines.length && head < newLines.length && oldLines[head] === newLines[head]) {
    pairs[head] = head;
    head += 1;
  }
  let oldEnd = oldLines.length;
  let newEnd = newLines.length;
  while (oldEnd > head && newEnd > head && oldLines[oldEnd - 1] === newLines[newEnd - 1]) {
    oldEnd -= 1;
    newEnd -= 1;
    pairs[newEnd] = oldEnd;
  }
  const rows = oldEnd - head;
  const columns = newEnd - head;
  if (rows > 0 && columns > 0 && (rows + 1) * (columns + 1) <= largestTable)
    pairMiddle(oldLines, newLines, head, rows, columns, pairs);
  return pairs;
}

function pairMiddle(
  oldLines: readonly string[],
  newLines: readonly string[],
  head: number,
  rows: number,
  columns: number,
  pairs: Int32Array,
): void {
  const width = columns + 1;
  const lengths = new Int32Array((rows + 1) * width);
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      const at = row * width + column;
      lengths[at] =
        oldLines[head + row] === newLines[head + column]
          ? lengths[at + width + 1]! + 1
          : Math.max(lengths[at + width]!, lengths[at + 1]!);
    }
  }
  for (let row = 0, column = 0; row < rows && column < columns;) {
    const at = row * width + column;
    if (oldLines[head + row] === newLines[head + column]) {
      pairs[head + column] = head + row;
      row += 1;
      column += 1;
    } else if (lengths[at + width]! >= lengths[at + 1]!) row += 1;
    else column += 1;
  }
}
