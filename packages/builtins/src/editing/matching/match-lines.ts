import { dominantEol, toLf } from '@haft/sandbox';
import { composeReplacement, type LineAdapter } from './compose-replacement.ts';
import type { EditSpan, EditTexts } from './edit-match.ts';
import { createNumbering, findSequence } from './find-sequence.ts';
import { keepTypography, maxPlaces } from './match-characters.ts';
import {
  indentationOf,
  isSameIndentation,
  relateIndentation,
  type IndentationMap,
  type IndentationPair,
} from './relate-indentation.ts';
import { splitSegments, type Segment } from './segments.ts';
import { toPlainTypography } from './typography.ts';

/**
 * Which differences of whole lines are ignored in addition to trailing whitespace. `letter` ignores no other
 * difference.
 */
export interface LineTolerance {
  readonly indentation: 'same' | 'related';
  readonly content: 'letter' | 'same' | 'typography' | 'inner blanks';
}

const contentViews: Readonly<Record<LineTolerance['content'], (content: string) => string>> = {
  letter: (content) => content,
  same: (content) => content,
  typography: toPlainTypography,
  'inner blanks': (content) => toPlainTypography(content).replace(/[ \t]+/g, ' '),
};

/** Finds ranges of whole lines that are equal within the tolerance. */
export function matchLines(text: string, texts: EditTexts, tolerance: LineTolerance): EditSpan[] {
  const oldLines = toLf(texts.oldText).split('\n');
  const isLetter = tolerance.content === 'letter';
  if (!isLetter && oldLines.every((line) => line.trim() === '')) return [];
  const segments = splitSegments(text);
  const view = contentViews[tolerance.content];
  const number = createNumbering();
  const viewLine = (line: string): string => view(isLetter ? line : line.trim());
  const contentOf = (line: string): number => number(viewLine(line));
  // A final line break in the old text adds one empty line, which matches the start of any line.
  const endsInBreak = oldLines.length > 1 && oldLines.at(-1) === '';
  const compared = endsInBreak ? oldLines.slice(0, -1) : oldLines;
  const needle = Int32Array.from(compared, contentOf);
  const haystack = Int32Array.from(segments, (segment) => contentOf(segment.text));
  const positions = findSequence(haystack, needle);
  if (positions.length === 0) return [];

  const starts = startsOf(segments);
  const newLines = toLf(texts.newText).split('\n');
  const lineBreak = dominantEol(text);
  const spans: EditSpan[] = [];
  for (const first of positions) {
    const end = first + compared.length;
    if (endsInBreak && end >= segments.length) continue;
    const stored = segments.slice(first, end);
    const map = relate(compared, stored, tolerance.indentation);
    if (!map) continue;
    const adapted = adaptLines(map, tolerance.content);
    const own = endsInBreak ? [...stored, { text: '', lineBreak: '' }] : stored;
    const replacement = composeReplacement({
      segments: own,
      oldLines,
      newLines,
      view: viewLine,
      adapt: adapted.adapt,
      lineBreak,
    });
    const last = stored.at(-1)!;
    const spanEnd = starts[end - 1]! + last.text.length + (endsInBreak ? last.lineBreak.length : 0);
    spans.push({ start: starts[first]!, end: spanEnd, replacement: adapted.failed() ? undefined : replacement });
    if (spans.length >= maxPlaces) break;
  }
  return spans;
}

function startsOf(segments: readonly Segment[]): Int32Array {
  const starts = new Int32Array(segments.length);
  let at = 0;
  for (const [index, { text, lineBreak }] of segments.entries()) {
    starts[index] = at;
    at += text.length + lineBreak.length;
  }
  return starts;
}

function relate(
  written: readonly string[],
  stored: readonly Segment[],
  indentation: LineTolerance['indentation'],
): IndentationMap | undefined {
  const pairs: IndentationPair[] = [];
  for (const [index, line] of written.entries()) {
    if (line.trim() !== '') pairs.push([indentationOf(line), indentationOf(stored[index]!.text)]);
  }
  if (indentation === 'same') return isSameIndentation(pairs) ? (blanks) => blanks : undefined;
  return relateIndentation(pairs);
}

/** Indents new lines like the file. A line whose indentation has no counterpart makes the match unusable. */
function adaptLines(
  map: IndentationMap,
  content: LineTolerance['content'],
): { readonly adapt: LineAdapter; readonly failed: () => boolean } {
  let failed = false;
  const adapt: LineAdapter = (line, counterpart) => {
    if (line.trim() === '') return line;
    const blanks = indentationOf(line);
    const mapped = map(blanks);
    failed ||= mapped === undefined;
    const rest = line.slice(blanks.length);
    if (content === 'same' || content === 'letter' || !counterpart) return (mapped ?? '') + rest;
    const written = counterpart.written.slice(indentationOf(counterpart.written).length);
    const stored = counterpart.stored.slice(indentationOf(counterpart.stored).length);
    return (mapped ?? '') + keepTypography(rest, { written, stored });
  };
  return { adapt, failed: () => failed };
}
