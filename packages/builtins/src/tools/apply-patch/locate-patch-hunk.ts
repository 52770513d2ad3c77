import type { EditTexts } from '../../editing/matching/edit-match.ts';
import { matchLines, type LineTolerance } from '../../editing/matching/match-lines.ts';
import type { UsableSpan } from '../../editing/matching/locate-edit.ts';
import type { PatchHunk } from './file-patch.ts';

/** The location of a hunk. */
export interface LocatedHunk {
  readonly ok: true;
  readonly span: UsableSpan;
  /** Whether the lines match exactly. */
  readonly isCertain: boolean;
}

/** The reason why a hunk has no unique match. `starts` contains the indices of all matches. */
export interface HunkMiss {
  readonly ok: false;
  readonly reason: 'not-found' | 'ambiguous' | 'nothing-to-find';
  readonly starts: readonly number[];
}

/** Tolerances from exact to lenient. Each ignores one more difference in formatting. The first with a match is used. */
const tolerances: readonly LineTolerance[] = [
  { indentation: 'same', content: 'letter' },
  { indentation: 'same', content: 'same' },
  { indentation: 'related', content: 'same' },
  { indentation: 'related', content: 'typography' },
  { indentation: 'related', content: 'inner blanks' },
];

/** A text in which every line ends with a line break, and the start offsets of its lines. */
export interface PatchedText {
  readonly text: string;
  readonly lines: readonly { readonly text: string; readonly start: number }[];
}

/**
 * Finds the unique match of a hunk. If several positions match, prefers the match below the header lines, at the given
 * line number, or after the previous hunk. If several matches remain, the hunk has no location.
 */
export function locateHunk(file: PatchedText, hunk: PatchHunk, after: number): LocatedHunk | HunkMiss {
  if (hunk.oldLines.length === 0) return locateAddition(file, hunk);
  const texts: EditTexts = {
    oldText: `${hunk.oldLines.join('\n')}\n`,
    newText: hunk.newLines.map((line) => `${line}\n`).join(''),
  };
  for (const tolerance of tolerances) {
    const spans = matchLines(file.text, texts, tolerance);
    if (spans.length === 0) continue;
    const chosen = choose(file, hunk, after, spans);
    if (chosen.length !== 1) return { ok: false, reason: 'ambiguous', starts: spans.map(({ start }) => start) };
    const { start, end, replacement } = chosen[0]!;
    if (replacement === undefined) break;
    return { ok: true, span: { start, end, replacement }, isCertain: tolerance.content === 'letter' };
  }
  return { ok: false, reason: 'not-found', starts: [] };
}

/**
 * Finds the location of a hunk that only adds lines. It can be the end or the beginning of the file, or an empty file.
 * Otherwise, the location is unknown.
 */
function locateAddition(
  { text, lines }: PatchedText,
  { newLines, headers, oldStart }: PatchHunk,
): LocatedHunk | HunkMiss {
  const isTop = oldStart === 0 || lines.length === 0;
  if (!isTop && (headers.length > 0 || oldStart !== undefined))
    return { ok: false, reason: 'nothing-to-find', starts: [] };
  const at = isTop ? 0 : text.length;
  const eol = /\r\n?|\n/.exec(text)?.[0] ?? '\n';
  return {
    ok: true,
    span: { start: at, end: at, replacement: newLines.map((line) => line + eol).join('') },
    isCertain: true,
  };
}

function choose<Span extends { readonly start: number; readonly end: number }>(
  file: PatchedText,
  hunk: PatchHunk,
  after: number,
  spans: readonly Span[],
): readonly Span[] {
  const { lines, text } = file;
  let left = spans;
  const keep = (choice: readonly Span[]): void => {
    if (choice.length > 0) left = choice;
  };
  if (hunk.isAtEnd) keep(left.filter(({ end }) => end === text.length));
  if (left.length > 1 && hunk.headers.length > 0) keep(belowHeaders(file, hunk.headers, left));
  if (left.length > 1 && hunk.oldStart !== undefined) {
    const start = lines[hunk.oldStart - 1]?.start;
    keep(left.filter((span) => span.start === start));
  }
  if (left.length > 1) keep(left.filter(({ start }) => start >= after));
  return left;
}

/** Finds the first match below each position of the nested headers. */
function belowHeaders<Span extends { readonly start: number }>(
  { lines }: PatchedText,
  headers: readonly string[],
  spans: readonly Span[],
): readonly Span[] {
  let places: readonly number[] = [-1];
  for (const header of headers) places = firstAfterEach(places, findHeader(lines, header));
  const starts = spans.map(({ start }) => start);
  const bounds = places.map((line) => lines[line]!.start - 1);
  const found = new Set(firstAfterEach(bounds, starts));
  return spans.filter(({ start }) => found.has(start));
}

/** Finds the lines that match a header: equal lines, otherwise lines that begin with the header. */
function findHeader(lines: PatchedText['lines'], header: string): readonly number[] {
  const wanted = header.trim();
  const find = (fits: (line: string) => boolean): readonly number[] =>
    [...lines.keys()].filter((index) => fits(lines[index]!.text.trim()));
  const exact = find((line) => line === wanted);
  return exact.length > 0 ? exact : find((line) => line.startsWith(wanted));
}

/**
 * For each bound, returns the first larger number. Both lists are sorted in ascending order. The single bound -1 means
 * no bound and returns every number.
 */
function firstAfterEach(bounds: readonly number[], numbers: readonly number[]): readonly number[] {
  if (bounds.length === 1 && bounds[0] === -1) return numbers;
  const found = new Set<number>();
  let next = 0;
  for (const bound of bounds) {
    while (next < numbers.length && numbers[next]! <= bound) next += 1;
    if (next < numbers.length) found.add(numbers[next]!);
  }
  return [...found];
}
