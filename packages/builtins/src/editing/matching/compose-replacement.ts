import { alignLines } from './align-lines.ts';
import type { Segment } from './segments.ts';

/** What is needed to put a model's new text in the place of a file's own. */
export interface Replacement {
  /**
   * The file's own text of the span, segment by segment: one for each line of `oldLines`. The last one may carry the
   * break that follows the span; it is put in only where a line comes to stand below.
   */
  readonly segments: readonly Segment[];
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
  /** What makes two lines the same line, formatted differently perhaps; used to tell which new line is which old one. */
  readonly view: (line: string) => string;
  /** Fits a line that the model changed or added to the way the file is formatted. */
  readonly adapt: LineAdapter;
  /** For added lines where the span itself has no line break. */
  readonly lineBreak: string;
}

/** Rewrites a new line; `counterpart` is the line it stands for, as the model wrote it and as the file has it. */
export type LineAdapter = (line: string, counterpart?: { readonly written: string; readonly stored: string }) => string;

/**
 * Composes the text that goes into the file. Lines that the model left as they were keep the file's own bytes,
 * whatever blanks, quotes or line endings those have; only lines that differ between old and new text are new.
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
    // An added line ends like the line above it.
    lastBreak = stored?.lineBreak || lastBreak;
    if (index < newLines.length - 1) composed += lastBreak;
  }
  return composed;
}

/** For each new line that is not an old one, the old line it stands for: where a stretch has as many lines as it had. */
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
