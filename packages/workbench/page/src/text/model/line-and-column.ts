/** Converts offsets in a text to `line:column`, both from 1. Counts the lines once. */
export function createLineAndColumn(text: string): (offset: number) => string {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return `${low + 1}:${offset - (starts[low] ?? 0) + 1}`;
  };
}
