import { type CallWatch, noWatch } from '../../source/call-watch.ts';
import type { GrowingText, Reading } from '../../source/growing-text.ts';
import { type EnvelopeCalls, readProgram, readBare } from './read-found-calls.ts';

/** Matches the mark of a Markdown list item. */
export const itemMark: RegExp = /(?:[-*+\u2022]|\d{1,3}[.)])[ \t]{1,16}/y;

// Text in code or bold markup, but not in a fence.
const emphasisPattern = /(?:\*\*)?`{1,2}(?!`)|\*\*/y;

/**
 * Reads bare calls, possibly in a Markdown list item. All direct repetitions of a call are one call. `isLikely`: whether the
 * message begins here.
 */
export function* readListItem(
  source: GrowingText,
  at: number,
  isLikely: boolean,
  watch: CallWatch,
): Reading<EnvelopeCalls | undefined> {
  const item = yield* source.skipMatch(itemMark, at);
  const mark = (yield* source.matchAt(emphasisPattern, item))?.[0] ?? '';
  const start = item + mark.length;
  const isCode = mark.includes('`');
  const found =
    (yield* readBare(source, start, { closers: [], isLikely }, isCode ? noWatch : watch)) ??
    (source.text[start] === '#' ? undefined : yield* readProgram(source, start, []));
  if (found === undefined || found.calls.length === 0 || found.isInterrupted === true)
    return isCode ? undefined : found;
  const closer = mark.startsWith('**') ? `${mark.slice(2)}**` : mark;
  const isClosed = (yield* source.needleAt([closer], found.end)) !== undefined;
  if (isCode && !isClosed) return undefined;
  let end = found.end + (isClosed ? mark.length : 0);
  const said = source.text.slice(item, end);
  for (;;) {
    const next = yield* source.skipMatch(itemMark, yield* source.skipSpace(end));
    if ((yield* source.needleAt([said], next)) === undefined) return { ...found, start: at, end, isCode };
    end = next + said.length;
  }
}
