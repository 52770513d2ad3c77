import type { Line } from '../files/text-lines.ts';

/** The range to remove so that the lines from `first` up to `after` disappear with their breaks. */
export function removeLines(
  text: string,
  lines: readonly Line[],
  first: number,
  after: number,
): { readonly start: number; readonly end: number } {
  if (after < lines.length) return { start: lines[first]!.start, end: lines[after]!.start };
  // When the removed last line has no break, remove the break above it: the file still ends without one.
  const endsOpen = lines.at(-1)!.end === text.length;
  return { start: endsOpen && first > 0 ? lines[first - 1]!.end : lines[first]!.start, end: text.length };
}
