import type { Machine, StringToken } from '../machine/machine.ts';
import { codeAt, findFrom, isSpent, waitForEnd } from '../machine/operations.ts';
import { depthAt } from '../machine/string-token.ts';
import { nextToken } from './next-token.ts';
import { isCloser, matchEnd } from '../text/characters.ts';
import { doubleQuote } from '../text/delimiters.ts';
import * as char from '../text/char.ts';

const keySource = /"[^"\\\n]{1,64}"[ \t]*:/.source;
const keyPattern = new RegExp(keySource, 'y');
// The line of a member up to its value.
const memberStartPattern = new RegExp(`\\n([ \\t]{1,80})${keySource}[ \\t]*$`);
// The beginning of a line that may hold another member, a comment, or closers.
const linePattern = new RegExp(`\\n([ \\t]*)(?:${keySource}|[A-Za-z_$][\\w$-]{0,40}"?[ \\t]*:|//|["#}\\]])`, 'g');
// The end of a line of a member whose value is a string.
const memberEndPattern = /"[ \t]*(,?)[ \t]*\r?$/;
// A key and the beginning of its value, with or without the quote that opens it: two members may be on one line.
const memberPattern =
  /(?<![{[(](?:\s|\\[nrt]){0,40})"[\s,]{0,20}"?[\w$-]{1,64}"?\s{0,9}:\s{0,9}(?:["\d{[-]|true|false|null)/y;
// Whole members at the end of a line. A quote that no sign follows may be in a value.
const memberSource = `${keySource}[ \\t]*(?:"(?:[^"\\\\\\n]|\\\\.|"(?![ \\t]*[,:;}\\]]))*"|-?\\d[\\d.]{0,30}|true|false|null)`;
const membersPattern = new RegExp(`"[ \\t]*,[ \\t]*(?:${memberSource}[ \\t]*,[ \\t]*){0,9}${memberSource}$`);
const closingFencePattern = /```\s*$/y;

const maxMemberStart = 200;
const maxLineEnd = 40;
const maxClosers = 32;
const maxMembers = 500;

/** Returns the white space before the key of a string if the key is the first of its line, or else an empty text. */
export const indentationOf = (text: string, { start }: StringToken): string =>
  memberStartPattern.exec(text.slice(Math.max(0, start - maxMemberStart), start))?.[1] ?? '';

/**
 * Returns the offset of the quote that ends a string with an inner quote at `at`, judged by the layout, or -1. If each
 * member has its own line, the string ends before the next line that begins with a key in the same column, or with
 * closers. Quotes inside of lines, as in code and dialogues, do not end it.
 */
export function laidOutEnd(machine: Machine, token: StringToken, at: number): number {
  const { frame, text } = machine;
  if (frame?.kind !== 'object' || token.role !== 'value' || token.delimiter !== doubleQuote) return -1;
  // Most objects have their members on one line.
  if (text.charCodeAt(frame.start + 1) === char.quote || matchEnd(memberPattern, text, at) !== -1) return -1;
  token.indentation ??= indentationOf(text, token);
  const { length } = token.indentation;
  if (length === 0 || isSpent(machine, 0)) return -1;
  linePattern.lastIndex = beforeIndentation(text, at);
  const ahead = { counted: token.counted, depth: token.depth };
  let line = linePattern.exec(text);
  for (; line !== null && !isSpent(machine, line.index - at); line = linePattern.exec(text)) {
    const column = line[1]?.length ?? 0;
    const [ending, comma] = memberEndPattern.exec(text.slice(Math.max(at, line.index - maxLineEnd), line.index)) ?? [];
    const last = text.charCodeAt(linePattern.lastIndex - 1);
    const end = line.index - (ending?.length ?? 0);
    const isEnd = ending !== undefined && end > at;
    if (last === char.colon && column <= length && text[line.index + column + 1] === '"')
      return column === length && isEnd && comma === ',' ? endOfOne(text, at, end) : -1;
    if (last === char.quote && column === length) return -1;
    if (isCloser(last)) {
      if (column < length && closesAt(machine, linePattern.lastIndex - 1)) return isEnd ? endOfOne(text, at, end) : -1;
      if (machine.needsMore) return -1;
    } else if (isEnd && comma === ',' && depthAt(machine, ahead, end) <= 0) return -1;
  }
  waitForEnd(machine);
  machine.lookaheadCost += (line?.index ?? text.length) - at;
  return -1;
}

/** `"a "b" c", "d": "e",⏎`: returns -1 if further members are on the last line, or else the given end of the string. */
const endOfOne = (text: string, at: number, end: number): number =>
  membersPattern.test(text.slice(Math.max(at, end - maxMembers), end + 1)) ? -1 : end;

/** Returns the offset of the line break before an offset, if only white space is between, or else the offset. */
function beforeIndentation(text: string, at: number): number {
  let start = at;
  while (text.charCodeAt(start - 1) === char.space || text.charCodeAt(start - 1) === char.tab) start -= 1;
  return text.charCodeAt(start - 1) === char.lineFeed ? start - 1 : at;
}

/** Returns whether closers at an offset close the open containers, and then the next key or row or the end of the text follows. */
function closesAt(machine: Machine, from: number): boolean {
  const { frames, text } = machine;
  let depth = frames.length - 1;
  let at = from;
  for (; isCloser(codeAt(machine, at)); at = nextToken(machine, at + 1)) {
    if (codeAt(machine, at) !== frames[depth]?.closer || depth < frames.length - maxClosers) return false;
    depth -= 1;
  }
  if (depth < 0) return codeAt(machine, at) === char.end || isAfterAll(machine, at);
  if (codeAt(machine, at) !== char.comma) return false;
  const next = nextToken(machine, at + 1);
  if (frames[depth]?.kind === 'object') return matchEnd(keyPattern, text, next) !== -1;
  return codeAt(machine, next) === char.openBrace;
}

/** Returns whether a closing fence, or text without quotes, is what follows the document. */
function isAfterAll(machine: Machine, at: number): boolean {
  if (!machine.ended) waitForEnd(machine);
  return matchEnd(closingFencePattern, machine.text, at) !== -1 || findFrom(machine, '"', at) === -1;
}
