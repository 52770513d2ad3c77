import { checkText } from '../check-given.ts';
import { findChangedStretch } from './changed-stretch.ts';
import { buildHunks, type Hunk } from './hunks.ts';
import { compareLines } from './line-edits.ts';

/** Two states of one file. */
export interface FileDiffInput {
  /** The path to show, relative to the workspace as a rule. */
  readonly path: string;
  /** Null when the file did not exist; an empty file is `''`. */
  readonly before: string | null;
  /** Null when the file no longer exists. */
  readonly after: string | null;
  /** The longest patch in characters. Default 262,144; the first hunk that does not fit and those after it are left out. */
  readonly maxPatchCharacters?: number;
}

/** What changed in one file. */
export interface FileDiff {
  readonly path: string;
  /** A unified diff with three lines of context, `''` where nothing changed. */
  readonly patch: string;
  readonly existedBefore: boolean;
  readonly existsAfter: boolean;
  /** Lines added and removed, those of omitted hunks included. */
  readonly additions: number;
  readonly deletions: number;
  /** Hunks are missing because the patch would be too long; a line in brackets says how many. */
  readonly truncated: boolean;
  /** Some stretch differs too much to compare line by line, so all of it counts as replaced. */
  readonly coarse: boolean;
}

const context = 3;

/**
 * Compares two states of a file as text.
 *
 * Time and memory are bounded for any input: what both texts begin and end with is skipped, and stretches that differ too
 * much to compare line by line count as replaced. Line endings are part of the lines. The same input always gives the same
 * patch.
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
    additions: countMarks(hunks, '+'),
    deletions: countMarks(hunks, '-'),
    truncated: shown.truncated,
    coarse,
  };
}

function findHunks(before: string, after: string): { readonly hunks: readonly Hunk[]; readonly coarse: boolean } {
  const stretch = findChangedStretch(before, after, context);
  if (stretch === undefined) return { hunks: [], coarse: false };
  const { linesAbove, leading, trailing } = stretch;
  const [left, right] = [splitLines(stretch.before), splitLines(stretch.after)];
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

/** Each with its break, so that the last one tells whether the text ends in one. */
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
  // A range of no lines is named by the line before it.
  const range = (start: number, count: number): string => `${count === 0 ? start - 1 : start},${count}`;
  const head = `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@\n`;
  return `${head}${hunk.lines.join('\n')}\n`;
}

function formatHeader({ path, before, after }: FileDiffInput): string {
  const name = (side: 'a' | 'b', text: string | null): string =>
    text === null ? '/dev/null' : quoteName(`${side}/${path}`);
  return `--- ${name('a', before)}\n+++ ${name('b', after)}\n`;
}

/** A name with a line break in it must not look like a line of the patch. */
function quoteName(name: string): string {
  return /[\u0000-\u001F\u007F"\\]/.test(name) ? JSON.stringify(name) : name;
}

function countMarks(hunks: readonly Hunk[], mark: '+' | '-'): number {
  return hunks.reduce((sum, hunk) => sum + hunk.lines.filter((line) => line.startsWith(mark)).length, 0);
}
