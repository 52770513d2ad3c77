import type { Line } from '../files/text-lines.ts';

/**
 * Returns the range to remove so that the lines from `first` up to, but not including, `after` disappear with their
 * line breaks.
 */
export function removeLines(
  text: string,
  lines: readonly Line[],
  first: number,
  after: number,
): { readonly start: number; readonly end: number } {
  if (after < lines.length) return { start: lines[first]!.start, end: lines[after]!.start };
  // If the last removed line has no line break, removes the line break above it, so that the file still ends without
  // one.
  const endsOpen = lines.at(-1)!.end === text.length;
  return { start: endsOpen && first > 0 ? lines[first - 1]!.end : lines[first]!.start, end: text.length };
}
