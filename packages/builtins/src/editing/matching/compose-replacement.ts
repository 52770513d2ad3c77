import { alignLines } from './align-lines.ts';
import type { Segment } from './segments.ts';

/** The input for replacing a range of the file with the model's new text. */
export interface Replacement {
  /**
   * The text of the range in the file, one segment per line of `oldLines`. The last segment may contain the line break
   * after the range, which is written only if another line follows.
   */
  readonly segments: readonly Segment[];
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
  /** Normalizes a line. An old and a new line with equal results count as the same line. */
  readonly view: (line: string) => string;
  /** Formats a changed or added line like the lines of the file. */
  readonly adapt: LineAdapter;
  /** The line break for added lines if the range itself contains no line break. */
  readonly lineBreak: string;
}

/** Reformats a new line. `counterpart` is the line that it replaces, as the model wrote it and as in the file. */
export type LineAdapter = (line: string, counterpart?: { readonly written: string; readonly stored: string }) => string;

/**
 * Composes the text to write. Lines that the model did not change keep the bytes of the file (whitespace, quotes, line
 * endings).
 */
export function composeReplacement({ segments, oldLines, newLines, view, adapt, lineBreak }: Replacement): string {
  const pairs = alignLines(oldLines.map(view), newLines.map(view));
  const counterparts = pairChangedLines(pairs, oldLines.length);
  let lastBreak = segments[0]?.lineBreak || lineBreak;
  let composed = '';
  for (const [index, line] of newLines.entries()) {
    const pair = pairs[index] ?? -1;
    const stands = pair === -1 ? counterparts[index]! : pair;
    const stored = segments[stands];
    const written = oldLines[stands];
    if (stored && written === line) composed += stored.text;
    else composed += adapt(line, stored && written !== undefined ? { written, stored: stored.text } : undefined);
    // An added line gets the line break of the line above it.
    lastBreak = stored?.lineBreak || lastBreak;
    if (index < newLines.length - 1) composed += lastBreak;
  }
  return composed;
}

/** Pairs each changed new line with the old line that it replaces, in ranges with equal numbers of lines. */
function pairChangedLines(pairs: Int32Array, oldCount: number): Int32Array {
  const counterparts = new Int32Array(pairs.length).fill(-1);
  let oldNext = 0;
  for (let index = 0; index < pairs.length;) {
    if (pairs[index] !== -1) {
      oldNext = pairs[index]! + 1;
      index += 1;
      continue;
    }
    let end = index;
    while (end < pairs.length && pairs[end] === -1) end += 1;
    const oldEnd = end < pairs.length ? pairs[end]! : oldCount;
    if (oldEnd - oldNext === end - index) {
      for (let offset = 0; index + offset < end; offset += 1) counterparts[index + offset] = oldNext + offset;
    }
    index = end;
  }
  return counterparts;
}
