import { toolError, type ToolError } from '@haft/core';
import { computeFileDiff } from '@haft/sandbox';
import type { ReadRecord } from '../../files/read-tracker.ts';
import { cutLine, splitLines, type Line } from '../../files/text-lines.ts';
import { followLine, type Followed } from './follow-line.ts';
import { hashLine, showAnchored, type HashLength, type LineAnchor } from './line-anchor.ts';

/** The index of the line that an anchor identifies, or why it identifies no line. */
export type FoundLine =
  | { readonly ok: true; readonly index: number }
  | { readonly ok: false; readonly error: ToolError };

/** The file that an anchor refers to. */
export interface AnchoredText {
  readonly text: string;
  readonly lines: readonly Line[];
  /** The current and earlier content of the file that the session has seen. */
  readonly seen: ReadRecord | undefined;
  /** The path of the file in the form for models. */
  readonly shown: string;
}

/**
 * Finds the line that an anchor identifies: a line that has this number and hash now, or had them in a content that the
 * session has seen since it last requested anchors. All such contents must lead to the same line. A hash without a
 * matching number is not enough, because other lines may share it.
 */
export function findAnchor(anchor: LineAnchor, argument: string, file: AnchoredText): FoundLine {
  const states = [file.lines.map(textOf)];
  const readings = new Set<Followed>();
  let last: string | undefined;
  if (hasHash(states[0]![anchor.line - 1], anchor.hash)) readings.add(anchor.line - 1);
  for (const earlier of file.seen?.earlier ?? []) {
    states.unshift(splitLines(earlier).map(textOf));
    if (!hasHash(states[0]![anchor.line - 1], anchor.hash)) continue;
    last ??= earlier;
    readings.add(followThrough(states, anchor.line - 1));
  }
  const [index, ...others] = readings;
  if (typeof index === 'number' && others.length === 0) return { ok: true, index };
  return { ok: false, error: stale(anchor, argument, file, last) };
}

function followThrough(states: readonly (readonly string[])[], index: number): Followed {
  let at: Followed = index;
  for (let step = 1; step < states.length && typeof at === 'number'; step += 1)
    at = followLine(states[step - 1]!, states[step]!, at);
  return at;
}

/** Shows the lines around an index, with anchors as in `read`. The index may be past the end. */
export function showAround(lines: readonly Line[], index: number, length: HashLength, margin = 3): string {
  const middle = Math.min(Math.max(index, 0), Math.max(0, lines.length - 1));
  return lines
    .slice(Math.max(0, middle - margin), middle + margin + 1)
    .map(({ text }, at) => showAnchored(Math.max(0, middle - margin) + at + 1, text, length, cutLine(text, 300)))
    .join('\n');
}

const maxPatchLength = 4_000;

function stale(
  { line, hash }: LineAnchor,
  argument: string,
  { text, lines, shown }: AnchoredText,
  earlier: string | undefined,
): ToolError {
  const change =
    earlier === undefined
      ? ''
      : `\nWhat changed since:\n${computeFileDiff({ path: shown, before: earlier, after: text, maxPatchCharacters: maxPatchLength }).patch.trimEnd()}`;
  const around = lines.length === 0 ? 'the file is empty' : showAround(lines, line - 1, hash.length === 3 ? 3 : 4);
  return toolError(
    'TEXT_NOT_FOUND',
    `${argument} ${line}:${hash} is stale: it no longer names one line of ${shown}. Now there is:\n${around}${change}`,
    {
      hint: `Take ${argument} from the lines shown, or call read with hash_len again.`,
      details: { path: shown, line },
    },
  );
}

function hasHash(text: string | undefined, hash: string): boolean {
  return text !== undefined && hashLine(text, hash.length === 3 ? 3 : 4) === hash;
}

function textOf(line: Line): string {
  return line.text;
}
