import * as char from '../text/char.ts';
import { isIn, isWhitespace, toNarrow } from '../text/characters.ts';
import type { Frame, Machine } from './machine.ts';
import { codeAt } from './operations.ts';
import { closersFrom } from '../text/plain-text.ts';

const reach = 200;
// A regular expression searches long texts several times faster than a loop.
const bracketsPattern = /[[\]{}()\\\uff08\uff09\uff3b\uff3d\uff5b\uff5d]/g;

/**
 * Records that the end of the string that begins at an offset was ambiguous. It makes the structure uncertain if the text
 * after it can't be between two members or items.
 */
export function markAmbiguous(machine: Machine, start: number, isUncertain: boolean): void {
  if (!machine.ended) return;
  machine.isUncertain ||= isUncertain;
  if (machine.ambiguous.at(-1)?.start !== start) machine.ambiguous.push({ start, due: machine.frames.length });
}

/** Marks the structure as uncertain if the end of the last string was ambiguous: the text after it fits no document. */
export function markLastAmbiguous(machine: Machine): void {
  if (machine.ambiguous.at(-1)?.start === machine.lastStart) machine.isUncertain = true;
}

/**
 * Marks the end of a list as uncertain if its brackets may be wrong: `[[1, 2], "next":` may have an opener too many, and
 * in `[1, [2], "next":` a row may lack its closer. A list of several rows is certain, and so is one row of rows.
 */
export function markUncertainList(machine: Machine, { items }: Frame): void {
  const rows = items.filter((item) => Array.isArray(item));
  const isAlone = items.length === 1 && !rows.flat().some((item) => Array.isArray(item));
  if (rows.length > 0 && (isAlone || rows.length < items.length)) machine.isUncertain = true;
}

/**
 * Returns whether the closers up to an offset certainly belong to the document. If the end of a string was ambiguous,
 * the rest may belong to the string, and the text may have been cut inside it. The closers then belong to the content,
 * which has opened as many. Closers that the content did not open belong to the document, if the content is well
 * formed.
 */
export function hasOwnClosers(machine: Machine, end: number, root: Frame | undefined): boolean {
  const { text, ambiguous, frames } = machine;
  if (machine.isUncertain) return false;
  const [first] = ambiguous;
  if (first === undefined) return true;
  const hasParens = root?.kind === 'call';
  let open = 0;
  // How many containers may be open at the end if all closers since an ambiguous string belong to the document.
  let most = Number.POSITIVE_INFINITY;
  let next = 0;
  bracketsPattern.lastIndex = first.start;
  for (let at = 0; at < end;) {
    at = bracketsPattern.test(text) ? bracketsPattern.lastIndex - 1 : end;
    for (let one = ambiguous[next]; one !== undefined && one.start <= at; one = ambiguous[(next += 1)])
      most = Math.min(most, open - one.due);
    if (at >= end) break;
    const code = toNarrow(text.charCodeAt(at));
    if (code === char.openBrace || code === char.openBracket || (hasParens && code === char.openParen)) open += 1;
    else if (code === char.closeBrace || code === char.closeBracket || (hasParens && code === char.closeParen))
      open -= 1;
    else if (code === char.backslash) bracketsPattern.lastIndex += 1;
  }
  return open <= most + frames.length && (frames.length > 0 || isLaidOutAlike(text, root?.start ?? 0, end - 1));
}

/**
 * Returns whether a closer is formatted like its opener: on a separate line only if a line break follows the opener
 * too, and with less indentation than the content, if the content is indented. Otherwise, it is more likely the last
 * line of some content.
 */
function isLaidOutAlike(text: string, opener: number, closer: number): boolean {
  // Usually no white space precedes a closer, and the pattern below is slow.
  if (!/[\snrt]/.test(text.charAt(closer - 1))) return true;
  const outer = /(?:\s|\\[nrt])*$/.exec(text.slice(Math.max(opener + 1, closer - reach), closer))?.[0] ?? '';
  if (outer === '') return true;
  const inner = /^(?:[\s,]|\\[nrt])*/.exec(text.slice(opener + 1, opener + reach))?.[0] ?? '';
  const indent = indentOf(outer);
  return indent === -1 ? inner !== '' : indent < indentOf(inner) || indentOf(inner) === 0;
}

/** Returns the length of the last line of white space, or -1 if it contains no line break. */
function indentOf(white: string): number {
  const lines = white.split(/\n|\\n/);
  return lines.length > 1 ? (lines.at(-1) ?? '').length : -1;
}

const maxLength = 64;

/** Closers in a row: the offset after them, and the level that remains open. */
export interface CloserRun {
  readonly end: number;
  readonly level: number;
}

/** Reads closers in a row if the innermost containers up to a level need exactly them. `[{"a": [{"b": 1}}]}, …` */
export function readCloserRun(machine: Machine, from: number, level: number): CloserRun | undefined {
  const written: string[] = [];
  let end = from;
  for (; written.length <= level && end - from < maxLength; end += 1) {
    const code = codeAt(machine, end);
    if (isIn('}]', code)) written.push(String.fromCharCode(code));
    else if (!isWhitespace(code)) break;
  }
  const open = level - written.length;
  const due = machine.frames.slice(open + 1, level + 1).map(({ closer }) => String.fromCharCode(closer));
  const isRun = written.length > 1 && due.sort().join('') === written.sort().join('');
  return isRun ? { end, level: open } : undefined;
}

/** Returns how many more containers the rest of the text closes than it opens, or -1 if that was asked too often or the text may grow. */
export function closersAhead(machine: Machine, from: number): number {
  if (!machine.ended || machine.backtracks >= machine.limits.backtracks) return -1;
  machine.backtracks += 1;
  return closersFrom(machine.text, from);
}
