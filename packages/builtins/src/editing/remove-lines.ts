import type { Line } from '../files/text-lines.ts';

/** The stretch of a text to take out so that the lines from `first` up to `after` are gone, and none of their breaks stays. */
export function removeLines(
  text: string,
  lines: readonly Line[],
  first: number,
  after: number,
): { readonly start: number; readonly end: number } {
  if (after < lines.length) return { start: lines[first]!.start, end: lines[after]!.start };
  // A last line that ends without a break takes the one above it along: the file goes on ending without one.
  const endsOpen = lines.at(-1)!.end === text.length;
  return { start: endsOpen && first > 0 ? lines[first - 1]!.end : lines[first]!.start, end: text.length };
}
