import { toLf } from '@haft/sandbox';
import type { EditTexts, NeedleKind } from './edit-match.ts';

/**
 * Yields alternative readings of a model's old and new text, and their combinations. Skips readings that do not apply.
 */
export function* readNeedle(texts: EditTexts): Generator<EditTexts & { readonly needle: NeedleKind }> {
  const plain: EditTexts[] = [];
  // Computed lazily, because usually the first reading matches.
  for (const reading of readLines(texts)) {
    plain.push(reading);
    yield reading;
  }
  for (const layer of escapeLayers) {
    for (const { oldText, newText } of plain) {
      const unescaped = unescape({ oldText, newText }, layer);
      if (unescaped) yield { ...unescaped, needle: 'unescaped' };
    }
  }
}

function* readLines(texts: EditTexts): Generator<EditTexts & { readonly needle: NeedleKind }> {
  yield { ...texts, needle: 'as written' };
  const trimmed = trimBlankLines(texts);
  if (trimmed) yield { ...trimmed, needle: 'without blank lines around it' };
  const stripped = stripLineNumbers(texts);
  if (stripped) yield { ...stripped, needle: 'without line numbers' };
  const both = stripped ? trimBlankLines(stripped) : trimmed && stripLineNumbers(trimmed);
  if (both) yield { ...both, needle: 'without line numbers' };
}

/** Removes blank lines from both ends of the old text, and the same number from the new text. */
function trimBlankLines({ oldText, newText }: EditTexts): EditTexts | undefined {
  const oldLines = toLf(oldText).split('\n');
  const first = oldLines.findIndex((line) => line.trim() !== '');
  if (first === -1) return undefined;
  const last = oldLines.findLastIndex((line) => line.trim() !== '');
  const below = oldLines.length - 1 - last;
  if (first === 0 && below === 0) return undefined;
  const newLines = toLf(newText).split('\n');
  let start = 0;
  while (start < first && start < newLines.length && newLines[start]!.trim() === '') start += 1;
  let end = newLines.length;
  while (newLines.length - end < below && end > start && newLines[end - 1]!.trim() === '') end -= 1;
  return { oldText: oldLines.slice(first, last + 1).join('\n'), newText: newLines.slice(start, end).join('\n') };
}

const numbered = /^[ \t]*(\d{1,7})(?:→|\t|[|:] ?)/;

/** Removes pasted line numbers if every line of the old text has one and they are consecutive. */
function stripLineNumbers({ oldText, newText }: EditTexts): EditTexts | undefined {
  const oldLines = toLf(oldText).split('\n');
  const body = oldLines.at(-1) === '' ? oldLines.slice(0, -1) : oldLines;
  const numbers = body.map((line) => Number(numbered.exec(line)?.[1] ?? Number.NaN));
  if (body.length === 0 || !numbers.every((value, index) => value === numbers[0]! + index)) return undefined;
  const strip = (line: string): string => line.replace(numbered, '');
  const newLines = toLf(newText).split('\n');
  // The new text must have numbers on all lines or on none. Otherwise, both texts stay unchanged.
  const isNumbered = newLines.every((line) => line === '' || numbered.test(line));
  return { oldText: oldLines.map(strip).join('\n'), newText: isNumbered ? newLines.map(strip).join('\n') : newText };
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };
// Unescapes quotes first, so that `
// ` in a string literal survives if only the quotes around it were escaped.
const escapeLayers: readonly RegExp[] = [/\\(["'`$])/g, /\\([ntr])/g, /\\([ntr"'`\\/$])/g];

/** Removes one layer of escaping from both texts. */
function unescape({ oldText, newText }: EditTexts, layer: RegExp): EditTexts | undefined {
  const take = (text: string): string => text.replace(layer, (_, character: string) => escapes[character] ?? character);
  const plain = take(oldText);
  return plain === oldText ? undefined : { oldText: plain, newText: take(newText) };
}
