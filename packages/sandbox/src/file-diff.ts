import { structuredPatch } from 'diff';
import { findChangedStretch, type ChangedStretch } from './changed-stretch.ts';

/** Two states of one file. */
export interface FileDiffInput {
  /** The path to show, relative to the workspace as a rule. */
  readonly path: string;
  /** Null when the file did not exist; an empty file is `''`. */
  readonly before: string | null;
  /** Null when the file no longer exists. */
  readonly after: string | null;
  /** The longest patch in characters. Default 262,144; the first hunk that does not fit and those after it are left out. */
  readonly maxPatchLength?: number;
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
  /** The texts differ too much to compare line by line, so all between the first and the last difference counts as replaced. */
  readonly coarse: boolean;
}

interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** Each with its mark: blank, `-`, `+` or `\`. */
  readonly lines: readonly string[];
}

const context = 3;
// The cost of comparing grows with the square of this, whatever the texts are.
const maxEditLength = 2_000;
const noFinalNewline = '\\ No newline at end of file';

/**
 * Compares two states of a file as text.
 *
 * Time and memory are bounded for any input: what both texts begin and end with is skipped, and beyond 2,000 differing lines
 * the stretch between counts as replaced. Line endings are part of the lines. The same input always gives the same patch.
 */
export function computeFileDiff(input: FileDiffInput): FileDiff {
  const { path, before, after } = input;
  const stretch = findChangedStretch(before ?? '', after ?? '', context);
  const compared = stretch === undefined ? [] : compareLines(stretch);
  const hunks = compared ?? (stretch === undefined ? [] : [replaceWhole(stretch)]);
  const shown = chooseHunks(hunks, input.maxPatchLength ?? 262_144);
  const isChanged = before !== after;
  return {
    path,
    patch: isChanged ? formatHeader(input) + shown.text : '',
    existedBefore: before !== null,
    existsAfter: after !== null,
    additions: countMarks(hunks, '+'),
    deletions: countMarks(hunks, '-'),
    truncated: shown.truncated,
    coarse: compared === undefined,
  };
}

function compareLines(stretch: ChangedStretch): Hunk[] | undefined {
  const before = stretch.leading + stretch.before + stretch.trailing;
  const after = stretch.leading + stretch.after + stretch.trailing;
  return structuredPatch('', '', before, after, '', '', { context, maxEditLength })?.hunks.map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + stretch.linesAbove,
    newStart: hunk.newStart + stretch.linesAbove,
  }));
}

function replaceWhole(stretch: ChangedStretch): Hunk {
  const leading = splitLines(stretch.leading);
  const removed = splitLines(stretch.before);
  const added = splitLines(stretch.after);
  const trailing = splitLines(stretch.trailing);
  const edge = leading.length + trailing.length;
  return {
    oldStart: stretch.linesAbove + 1,
    oldLines: edge + removed.length,
    newStart: stretch.linesAbove + 1,
    newLines: edge + added.length,
    lines: [
      ...markLines(' ', leading),
      ...markLines('-', removed),
      ...markLines('+', added),
      ...markLines(' ', trailing),
    ],
  };
}

/** Each line with its break, so that the last one tells whether the text ends in one. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function markLines(mark: ' ' | '-' | '+', lines: readonly string[]): string[] {
  return lines.flatMap((line) => (line.endsWith('\n') ? [mark + line.slice(0, -1)] : [mark + line, noFinalNewline]));
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
