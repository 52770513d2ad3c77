import type { EnvelopeIndex } from './envelope-index.ts';
import type { Source } from './envelope.ts';
import { readProgram, readUntagged, type PlacedCalls } from './read-body.ts';
import { lineStartOf, skipSpace } from './text-span.ts';

const ITEM_MARK = /(?:[-*+\u2022]|\d{1,3}[.)])[ \t]+/y;

/**
 * Reads calls without an envelope that stand one after the other, each perhaps the item of a Markdown list. What is
 * written twice in a row is meant once.
 */
export function readSeries(source: Source, from: number, index: EnvelopeIndex): readonly PlacedCalls[] {
  const { text } = source;
  const series: PlacedCalls[] = [];
  let lastSaid = '';
  for (let at = beginningOfItem(text, from); at < text.length;) {
    const start = skipItemMark(text, at);
    const placed = readUntagged(source, start, index) ?? readProgram(source, start);
    if (placed === undefined || placed.calls.length === 0) break;
    const said = text.slice(start, placed.end);
    const last = said === lastSaid ? series.pop() : undefined;
    series.push({ ...placed, start: last?.start ?? at });
    lastSaid = said;
    at = skipSpace(text, placed.end);
  }
  return series;
}

/** Where the list item begins whose text begins at an offset; the offset itself when no mark stands before it. */
function beginningOfItem(text: string, at: number): number {
  const start = skipSpace(text, lineStartOf(text, at));
  return start < at && at - start < 8 && skipItemMark(text, start) === at ? start : at;
}

function skipItemMark(text: string, at: number): number {
  ITEM_MARK.lastIndex = at;
  return ITEM_MARK.test(text) ? ITEM_MARK.lastIndex : at;
}
