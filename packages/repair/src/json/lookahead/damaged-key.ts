import * as char from '../text/char.ts';
import { nameEnd } from './name-end.ts';
import { nextToken } from './next-token.ts';
import { isDigit, isNamePart, isNameStart, matchEnd, toNarrow, isIn, isSign } from '../text/characters.ts';
import type { Machine } from '../machine/machine.ts';
import { codeAt, startsAt } from '../machine/operations.ts';
import { certainWords } from '../text/value-words.ts';

const maxLength = 64;

/**
 * Returns whether a quoted key without its colon or its closing quote is at an offset: `"key" 1`, `"key"[`, `"key:
 * "x"`, `"key => "x"`, or one with another sign. Only names with a value after them count, because prose with quotes
 * looks similar.
 */
export function isDamagedKeyAt(machine: Machine, at: number): boolean {
  const quote = quoteAt(machine, at);
  if (quote === '') return false;
  const end = nameEnd(machine, at + quote.length);
  if (end === at + quote.length) return false;
  const isQuoted = startsAt(machine, quote, end);
  const closed = isQuoted ? end + quote.length : end + otherQuoteLength(machine, end);
  const sign = afterSign(machine, closed);
  if (sign === -1 && !isQuoted) return false;
  const value = nextToken(machine, sign === -1 ? closed : sign);
  if (isValueAt(machine, value)) return true;
  return isIn(isQuoted ? "`('" : '`(', codeAt(machine, value)) || endsBareValue(machine, value);
}

/** `"key': 1`, `"key\": 1`, `\"key": 1`: returns the length of another quote at the end of a key, or 0. */
function otherQuoteLength(machine: Machine, at: number): number {
  const length = Number(codeAt(machine, at) === char.backslash);
  return isIn(`"'`, codeAt(machine, at + length)) ? length + 1 : 0;
}

/** Returns the quote at an offset that can open a key, with the backslash before it. */
function quoteAt(machine: Machine, at: number): string {
  const code = codeAt(machine, at);
  if (code === char.backslash) return codeAt(machine, at + 1) === char.quote ? '\\"' : '';
  return code === char.quote ? '"' : code === char.apostrophe ? "'" : '';
}

// Only a short name, because text with quotes ends in a similar way.
const loneKeyPattern = /"\w{1,40}/y;

/** `"c"}`: returns the end of a quoted name with a brace after it, which is a key without its value, or -1. */
export function loneKeyEnd(machine: Machine, at: number): number {
  const end = matchEnd(loneKeyPattern, machine.text, at);
  if (end === -1 || codeAt(machine, end) !== char.quote) return -1;
  return codeAt(machine, nextToken(machine, end + 1)) === char.closeBrace ? end + 1 : -1;
}

/** `main,`, `./app/parser.go⏎}`: an unquoted word, followed by a comma, a closer or the end of the line. */
function endsBareValue(machine: Machine, at: number): boolean {
  if (!isNameStart(codeAt(machine, at)) && codeAt(machine, at) !== char.dot) return false;
  let end = at + 1;
  while (end - at < maxLength && (isNamePart(codeAt(machine, end)) || isIn('/:@', codeAt(machine, end)))) end += 1;
  return isIn(',}]\n', toNarrow(codeAt(machine, end)));
}

/** `name: "x"`: an unquoted key, its sign, and a value. */
export const isPlainKeyAt = (machine: Machine, at: number): boolean => isMemberAt(machine, at, '');

/** `level": "x"`: a key that has only its closing quote, its sign, and a value. */
export const isHalfQuotedKeyAt = (machine: Machine, at: number): boolean => isMemberAt(machine, at, '"');

function isMemberAt(machine: Machine, at: number, quote: string): boolean {
  const end = nameEnd(machine, at);
  const sign = end > at && startsAt(machine, quote, end) ? afterSign(machine, end + quote.length) : -1;
  return sign !== -1 && isValueAt(machine, nextToken(machine, sign));
}

/** `"labels: ["a"`: a key without its closing quote, and a list or object that begins with a quote and a letter. */
export function opensContainerAt(machine: Machine, at: number): boolean {
  const value = afterSign(machine, nameEnd(machine, at + 1));
  if (value === -1) return false;
  const opener = nextToken(machine, value);
  if (!isIn('[{', codeAt(machine, opener))) return false;
  const inner = nextToken(machine, opener + 1);
  return codeAt(machine, inner) === char.quote && isNameStart(codeAt(machine, inner + 1));
}

/** Returns the end of the sign between key and value at an offset or after spaces, or -1 if there is no sign. */
export function afterSign(machine: Machine, from: number): number {
  let at = from;
  while (codeAt(machine, at) === char.space) at += 1;
  if (!isSign(toNarrow(codeAt(machine, at)))) return -1;
  return at + (isIn('=>', codeAt(machine, at + 1)) ? 2 : 1);
}

/** Returns whether something at an offset can only be a value: a quote, an opener, a number, or a known word. */
export function isValueAt(machine: Machine, at: number): boolean {
  const code = toNarrow(codeAt(machine, at));
  if (code === char.quote || code === char.openBrace || code === char.openBracket || isDigit(code)) return true;
  if (code === char.minus || code === char.plus || code === char.dot) return isDigit(codeAt(machine, at + 1));
  if (code === char.backslash) return codeAt(machine, at + 1) === char.quote;
  return isValueWordAt(machine, at);
}

/** Returns whether a word for a value, such as `None`, is at an offset. */
export function isValueWordAt(machine: Machine, at: number): boolean {
  return certainWords.some((word) => startsAt(machine, word, at) && !isNamePart(codeAt(machine, at + word.length)));
}
