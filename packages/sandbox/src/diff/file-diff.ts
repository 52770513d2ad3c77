import { checkText } from '../check-given.ts';
import { findChangedRange } from './changed-range.ts';
import { buildHunks, type Hunk } from './hunks.ts';
import { compareLines } from './line-edits.ts';

/** Two states of a file. */
export interface FileDiffInput {
  /** The path to show, usually relative to the workspace. */
  readonly path: string;
  /** Null if the file did not exist; an empty file is `''`. */
  readonly before: string | null;
  /** Null if the file no longer exists. */
  readonly after: string | null;
  /**
   * Maximum length of the patch in characters. Default 262,144. The first hunk that does not fit and all later ones are
   * omitted.
   */
  readonly maxPatchCharacters?: number;
}

/** The changes of one file. */
export interface FileDiff {
  readonly path: string;
  /** A unified diff with three lines of context; `''` if nothing changed. */
  readonly patch: string;
  readonly existedBefore: boolean;
  readonly existsAfter: boolean;
  /** Number of added and removed lines, including those of omitted hunks. */
  readonly additions: number;
  readonly deletions: number;
  /** True if hunks are omitted because the patch would be too long. A line in brackets shows their number. */
  readonly truncated: boolean;
  /** True if a range differs too much to compare line by line. The whole range then counts as replaced. */
  readonly coarse: boolean;
}

const context = 3;

/**
 * Computes a unified diff of two states of a text file.
 *
 * Time and memory are bounded for any input: the common start and end are skipped, and ranges that differ too much to
 * compare line by line count as replaced. Line endings are part of the lines. Equal input gives equal patches.
 */
export function computeFileDiff(input: FileDiffInput): FileDiff {
  const { path, before, after } = input;
  checkText('path', path, 'src/index.ts');
  const { hunks, coarse } = findHunks(before ?? '', after ?? '');
  const shown = chooseHunks(hunks, input.maxPatchCharacters ?? 262_144);
  const isChanged = before !== after;
  return {
    path,
    patch: isChanged ? formatHeader(input) + shown.text : '',
    existedBefore: before !== null,
    existsAfter: after !== null,
    additions: countLines(hunks, '+'),
    deletions: countLines(hunks, '-'),
    truncated: shown.truncated,
    coarse,
  };
}

function findHunks(before: string, after: string): { readonly hunks: readonly Hunk[]; readonly coarse: boolean } {
  const range = findChangedRange(before, after, context);
  if (range === undefined) return { hunks: [], coarse: false };
  const { linesAbove, leading, trailing } = range;
  const [left, right] = [splitLines(range.before), splitLines(range.after)];
  const { edits, coarse } = compareLines(left, right);
  const [above, below] = [splitLines(leading), splitLines(trailing)];
  const all = [
    { kind: 'kept', count: above.length } as const,
    ...edits,
    { kind: 'kept', count: below.length } as const,
  ];
  const hunks = buildHunks(all, [...above, ...left, ...below], [...above, ...right, ...below], context);
  return { hunks: hunks.map((hunk) => moveDown(hunk, linesAbove)), coarse };
}

function moveDown(hunk: Hunk, lines: number): Hunk {
  return { ...hunk, oldStart: hunk.oldStart + lines, newStart: hunk.newStart + lines };
}

/** Splits a text into lines with their line breaks, so that the last line shows whether the text ends with one. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function chooseHunks(
  hunks: readonly Hunk[],
  maxLength: number,
): { readonly text: string; readonly truncated: boolean } {
  const texts: string[] = [];
  let length = 0;
  for (const hunk of hunks) {
    length += hunk.lines.reduce((sum, line) => sum + line.length + 1, 40);
    if (length > maxLength) break;
    texts.push(formatHunk(hunk));
  }
  const missing = hunks.length - texts.length;
  if (missing > 0) texts.push(`[… ${missing} of ${hunks.length} ${hunks.length === 1 ? 'hunk' : 'hunks'} omitted …]\n`);
  return { text: texts.join(''), truncated: missing > 0 };
}

function formatHunk(hunk: Hunk): string {
  // An empty range is identified by the line before it.
  const range = (start: number, count: number): string => `${count === 0 ? start - 1 : start},${count}`;
  const head = `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@\n`;
  return `${head}${hunk.lines.join('\n')}\n`;
}

function formatHeader({ path, before, after }: FileDiffInput): string {
  const name = (side: 'a' | 'b', text: string | null): string =>
    text === null ? '/dev/null' : quoteName(`${side}/${path}`);
  return `--- ${name('a', before)}\n+++ ${name('b', after)}\n`;
}

/** Quotes a name with control characters, so that it cannot look like a line of the patch. */
function quoteName(name: string): string {
  return /[\u0000-\u001F\u007F"\\]/.test(name) ? JSON.stringify(name) : name;
}

function countLines(hunks: readonly Hunk[], mark: '+' | '-'): number {
  return hunks.reduce((sum, hunk) => sum + hunk.lines.filter((line) => line.startsWith(mark)).length, 0);
}
