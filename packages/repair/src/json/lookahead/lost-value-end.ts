import { beforeWhitespace } from '../text/plain-text.ts';
import { likely } from './likelihood.ts';
import * as char from '../text/char.ts';
import { beforeBareKeyAt, beforeHalfQuotedKey, beforeKeyAt, endAt, trimBefore, type LostEnd } from './before-key.ts';
import { isNamePart, toNarrow, isIn } from '../text/characters.ts';
import { isDamagedKeyAt } from './damaged-key.ts';
import { followAt } from './follows-at.ts';
import { hasValueBehindKey, isStringBefore, quotedEnd, isQuotedKeyAt } from './key-at.ts';
import type { Machine, StringToken } from '../machine/machine.ts';

/**
 * Returns the end of a value without its closing quote, if the quote at `at` opens the next token. Returns undefined if
 * that quote is part of the value. `{"a": "hello, "next": 1}` `["hello], "next": 1}` `["hello, "next"]`
 */
export function lostValueEnd(machine: Machine, token: StringToken, at: number): LostEnd | undefined {
  const { text, frame } = machine;
  if (frame === undefined || token.delimiter.close !== undefined) return undefined;
  const halfQuoted = token.isDamaged ? undefined : beforeHalfQuotedKey(machine, token, at);
  if (halfQuoted !== undefined) return halfQuoted;
  // A quote directly after a word opens no token. Checked first, because prose has many such quotes.
  if (isNamePart(text.charCodeAt(at - 1))) return beforeBareKeyAt(machine, token, at);
  const opener = openerBefore(text, at);
  const before = trimBefore(machine, opener);
  const last = toNarrow(text.charCodeAt(before - 1));
  const hasComma = last === char.comma;
  // `["hello] "next": 1`, `{"a": "hello}{"a": 2}`
  const isClosed = last === frame.closer && !token.isDamaged;
  if (!hasComma && !isClosed && !text.slice(before, opener).includes('\n')) return beforeBareKeyAt(machine, token, at);
  const end = hasComma ? beforeCommas(machine, before) : trimBefore(machine, before);
  const isKey = isQuotedKeyAt(machine, at);
  if (isKey && !hasValueBehindKey(machine, at)) return undefined;
  if (isKey || (!token.isDamaged && isDamagedKeyAt(machine, at)))
    return beforeKeyAt(machine, token, { at, opener }, end, opener < at ? 'array' : 'object');
  if (token.isDamaged) return undefined;
  if (frame.kind !== 'array') return beforeBareKeyAt(machine, token, at);
  return opener < at ? beforeRowAt(machine, token, at, end) : beforeItemAt(machine, token, at, end);
}

/** Returns the start of the commas that end at an offset. Usually there is one. */
function beforeCommas(machine: Machine, from: number): number {
  const { text } = machine;
  const comma = text.charCodeAt(from - 1);
  let end = from;
  while (text.charCodeAt(end - 1) === comma) end = trimBefore(machine, end - 1);
  return end;
}

/** Returns the offset of the opener directly before a key or an item, or the given offset. */
function openerBefore(text: string, at: number): number {
  const end = beforeWhitespace(text, at);
  return isIn('{[', toNarrow(text.charCodeAt(end - 1))) ? end - 1 : at;
}

// `], [2`: the end of a row, and the next row up to its first quote.
const rowPattern = /\s*\]\s*,\s*\[[\w\s.,+-]*$/;
const maxRow = 200;

/** An item follows, perhaps in the next row: the quote opens a string that ends like an item. */
function beforeItemAt(machine: Machine, token: StringToken, at: number, end: number): LostEnd | undefined {
  const close = quotedEnd(machine, at, 1_000, true);
  const { text, frames } = machine;
  // A string of more than 1,000 characters does not count, so that a stream need not wait for its end.
  if (close > text.length || followAt(machine, close, frames.length - 1, true) !== likely) return undefined;
  const from = Math.max(token.begin, end - maxRow);
  const row = frames.at(-2)?.kind === 'array' ? text.slice(from, end).search(rowPattern) : -1;
  return endAt(machine, token, row === -1 ? end : from + row);
}

/** `["hello, 1], ["x", 2]`: the quote opens the first item of the next row. */
function beforeRowAt(machine: Machine, token: StringToken, at: number, end: number): LostEnd | undefined {
  const { text, frames } = machine;
  if (frames.at(-2)?.kind !== 'array' || text.charCodeAt(end - 1) !== char.closeBracket) return undefined;
  return isStringBefore(machine, at, ']') ? endAt(machine, token, beforeWhitespace(text, end - 1)) : undefined;
}
