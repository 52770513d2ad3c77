import * as char from '../text/char.ts';
import { toNarrow } from '../text/characters.ts';
import type { Frame, Machine } from './machine.ts';

const reach = 200;
// An expression goes over long texts several times as fast as a loop does.
const bracketsPattern = /[[\]{}()\\\uff08\uff09\uff3b\uff3d\uff5b\uff5d]/g;

/** Remembers that the end of the string which begins at an offset was a choice. */
export function markUncertain(machine: Machine, start: number, isRagged: boolean): void {
  if (!machine.ended) return;
  const last = machine.uncertain.at(-1);
  if (last?.start === start) last.isRagged ||= isRagged;
  else machine.uncertain.push({ start, due: machine.frames.length, isRagged });
}

/** Doubts the end of the string that has just been read, if that was a choice: what follows belongs to no document. */
export function markLastUncertain({ uncertain, last, lastStart }: Machine): void {
  const string = uncertain.at(-1);
  if (last === 'string' && string?.start === lastStart) string.isRagged = true;
}

/**
 * Whether the closers up to an offset surely are the document's own. When a string was ended by choice, all that follows
 * may be more of it, and the text have been cut inside: then they are those of the content, which has opened as many
 * before. Closers that nothing in the content opened are the document's, as long as the content is well formed.
 */
export function hasOwnClosers({ text, uncertain, frames }: Machine, end: number, root: Frame | undefined): boolean {
  const [first] = uncertain;
  if (first === undefined) return true;
  if (uncertain.some(({ isRagged }) => isRagged)) return false;
  const hasParens = root?.kind === 'call';
  let open = 0;
  // How many more may be open at the end when all that were closed since some doubtful string were the document's.
  let most = Number.POSITIVE_INFINITY;
  let next = 0;
  bracketsPattern.lastIndex = first.start;
  for (let at = 0; at < end;) {
    at = bracketsPattern.test(text) ? bracketsPattern.lastIndex - 1 : end;
    for (let one = uncertain[next]; one !== undefined && one.start <= at; one = uncertain[(next += 1)])
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
 * Whether a closer is set off no more than its opener: by a line break only where one follows the opener too, and further
 * out than what stands there. One that is set off otherwise is more likely the last line of some content.
 */
function isLaidOutAlike(text: string, opener: number, closer: number): boolean {
  const outer = /(?:\s|\\[nrt])*$/.exec(text.slice(Math.max(opener + 1, closer - reach), closer))?.[0] ?? '';
  if (outer === '') return true;
  const inner = /^(?:[\s,]|\\[nrt])*/.exec(text.slice(opener + 1, opener + reach))?.[0] ?? '';
  const indent = indentOf(outer);
  return indent === -1 ? inner !== '' : indent < indentOf(inner) || (indent === 0 && indentOf(inner) === 0);
}

/** How far in a line begins after white space, in characters; -1 when the white space has no line break. */
function indentOf(white: string): number {
  const line = Math.max(white.lastIndexOf('\n'), white.lastIndexOf('\\n') + 1);
  return line > 0 || white.startsWith('\n') ? white.length - line - 1 : -1;
}
