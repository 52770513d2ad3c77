import { dominantEol, toLf } from '@haft/sandbox';
import { composeReplacement, type LineAdapter } from './compose-replacement.ts';
import type { EditSpan, EditTexts } from './edit-match.ts';
import { splitSegments } from './segments.ts';
import { toPlainTypography } from './typography.ts';

/** The maximum number of matches in one file. */
export const maxPlaces = 1_000;

/** Finds exact matches. Line endings of the new text follow the file, unless the old text contains explicit ones. */
export function matchExactly(text: string, { oldText, newText }: EditTexts): EditSpan[] {
  const starts = findAll(text, oldText);
  if (starts.length === 0) return [];
  const spelled = oldText.includes('\r');
  const isPlain = spelled || !text.includes('\r');
  const lf = isPlain && !spelled ? toLf(newText) : newText;
  return starts.map((start) => {
    const end = start + oldText.length;
    return { start, end, replacement: isPlain ? lf : compose(text, start, end, { oldText, newText }, asIs, asWritten) };
  });
}

/** Finds matches, treating all line endings as equal. */
export function matchLineEndings(text: string, texts: EditTexts): EditSpan[] {
  return matchView(text, toLf, texts, asWritten);
}

/** Finds matches, treating typographic quotes, dashes and spaces like their ASCII counterparts. */
export function matchTypography(text: string, texts: EditTexts): EditSpan[] {
  return matchView(text, (part) => toPlainTypography(toLf(part)), texts, keepTypography);
}

const asIs = (line: string): string => line;
const asWritten: LineAdapter = (line) => line;

/** Keeps typographic characters in the unchanged parts of a line: the common prefix and suffix come from the file. */
export const keepTypography: LineAdapter = (line, counterpart) => {
  if (!counterpart || counterpart.written.length !== counterpart.stored.length) return line;
  const { written, stored } = counterpart;
  const shorter = Math.min(line.length, written.length);
  let head = 0;
  while (head < shorter && line[head] === written[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && line[line.length - 1 - tail] === written[written.length - 1 - tail]) tail += 1;
  return stored.slice(0, head) + line.slice(head, line.length - tail) + stored.slice(stored.length - tail);
};

/** Normalization changes only line endings and single characters, so offsets shift only at line breaks. */
function matchView(text: string, view: (part: string) => string, texts: EditTexts, adapt: LineAdapter): EditSpan[] {
  const needle = view(texts.oldText);
  const starts = needle === '' ? [] : findAll(view(text), needle);
  if (starts.length === 0) return [];
  const toOriginal = createIndexMap(text);
  return starts.map((found) => {
    const start = toOriginal(found);
    const end = toOriginal(found + needle.length);
    return { start, end, replacement: compose(text, start, end, texts, view, adapt) };
  });
}

/** Composes the replacement of a range of the file that equals `oldText` line by line, ignoring line endings. */
export function composeSpan(text: string, start: number, end: number, texts: EditTexts): string {
  return compose(text, start, end, texts, asIs, asWritten);
}

function compose(
  text: string,
  start: number,
  end: number,
  { oldText, newText }: EditTexts,
  view: (line: string) => string,
  adapt: LineAdapter,
): string {
  const oldLines = toLf(oldText).split('\n');
  const newLines = toLf(newText).split('\n');
  const segments = splitSegments(text.slice(start, end));
  const last = segments.at(-1)!;
  segments[segments.length - 1] = { ...last, lineBreak: /^(?:\r\n?|\n)/.exec(text.slice(end, end + 2))?.[0] ?? '' };
  return composeReplacement({ segments, oldLines, newLines, view, adapt, lineBreak: dominantEol(text) });
}

/**
 * Converts offsets in the text with line feeds to offsets in the original text. Each two-character line break before an
 * offset adds one.
 */
function createIndexMap(text: string): (index: number) => number {
  const breaks: number[] = [];
  for (let at = text.indexOf('\r\n'); at !== -1; at = text.indexOf('\r\n', at + 2)) breaks.push(at - breaks.length);
  return (index) => {
    let low = 0;
    let high = breaks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (breaks[middle]! < index) low = middle + 1;
      else high = middle;
    }
    return index + low;
  };
}

function findAll(text: string, needle: string): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(needle); at !== -1 && starts.length < maxPlaces; at = text.indexOf(needle, at + 1))
    starts.push(at);
  return starts;
}
