import { beforeWhitespace } from '../text/plain-text.ts';
import {
  endBeforeBareKey,
  endBeforeHalfQuotedKey,
  endBeforeKey,
  lostEndAt,
  trimBefore,
  type LostEnd,
} from './end-before-key.ts';
import { isNamePart, isWhitespace, toNarrow, isIn } from '../text/characters.ts';
import { isDamagedKeyAt } from './damaged-key.ts';
import { endsValueAt } from './follows-at.ts';
import { hasValueAfterKey, isStringBefore, quotedEnd, isQuotedKeyAt } from './key-at.ts';
import type { Machine, StringToken } from '../machine/machine.ts';
import { codeAt } from '../machine/operations.ts';
import * as char from '../text/char.ts';

/**
 * Returns the end of a value without its closing quote, if the quote at `at` opens the next token. Returns undefined if
 * that quote is part of the value. `{"a": "hello, "next": 1}` `["hello], "next": 1}` `["hello, "next"]`
 */
export function lostValueEnd(machine: Machine, token: StringToken, at: number): LostEnd | undefined {
  const { text, frame } = machine;
  if (frame === undefined || token.delimiter.close !== undefined) return undefined;
  const halfQuoted = endBeforeHalfQuotedKey(machine, token, at);
  if (halfQuoted !== undefined) return halfQuoted;
  if (isAfterText(text, at)) return endBeforeBareKey(machine, token, at);
  const next = beforeComments(text, at, token.begin);
  const opener = openerBefore(text, next);
  const before = trimBefore(machine, opener);
  const last = before > token.begin ? toNarrow(text.charCodeAt(before - 1)) : 0;
  const hasComma = last === char.comma || (last === char.semicolon && (machine.hasSemicolons || !token.isDamaged));
  // `["hello] "next": 1`, `{"a": "hello}{"a": 2}`
  const isClosed = last === frame.closer && !token.isDamaged;
  const isSeparated = hasComma || isClosed || text.slice(before, opener).includes('\n');
  if (!isSeparated || before <= token.begin) return endBeforeBareKey(machine, token, at);
  const end = hasComma ? beforeCommas(machine, before, token.begin) : trimBefore(machine, before);
  const isKey = isQuotedKeyAt(machine, at);
  if (isKey && !hasValueAfterKey(machine, at)) return undefined;
  if (isKey || (!token.isDamaged && isDamagedKeyAt(machine, at))) {
    if (text.charCodeAt(opener) === char.openBracket) return undefined;
    return endBeforeKey(machine, token, { at, opener }, end, opener < next ? 'array' : 'object');
  }
  if (frame.kind !== 'array') return endBeforeBareKey(machine, token, at);
  if (token.isDamaged) return undefined;
  return opener < next ? endBeforeRow(machine, token, at, end) : endBeforeItem(machine, token, at, end);
}

/** Returns whether text precedes an offset on the same line, as before most quotes in prose. */
function isAfterText(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === char.space) before -= 1;
  const code = text.charCodeAt(before);
  // `\n` may be white space.
  return (isNamePart(code) || isIn(':(=', code)) && text[before - 1] !== '\\';
}

/** Returns the start of the commas or semicolons that end at an offset. Usually there is one. */
function beforeCommas(machine: Machine, from: number, least: number): number {
  const { text } = machine;
  const separator = text.charCodeAt(from - 1);
  let end = from;
  while (end > least && text.charCodeAt(end - 1) === separator) end = trimBefore(machine, end - 1);
  return end;
}

/** Returns the offset of the opener directly before a key or an item, or the given offset. */
function openerBefore(text: string, at: number): number {
  const end = beforeWhitespace(text, at);
  return isIn('{[', toNarrow(text.charCodeAt(end - 1))) ? end - 1 : at;
}

// At the beginning of a line, or after a comma.
const lineCommentPattern = /^[ \t\u00a0]*(?:#|\/\/)|,[ \t\u00a0]*(?:#|\/\/)/;
const maxComments = 4;
const maxLine = 200;

/** Returns the start of the comments between a comma and an offset, or the offset itself if there is no comment. */
function beforeComments(text: string, at: number, least: number): number {
  let next = at;
  for (let count = 0; count < maxComments; count += 1) {
    const end = beforeWhitespace(text, next);
    const from = Math.max(least, end - maxLine);
    const near = text.slice(from, end);
    const isBlock = near.endsWith('*/');
    const line = isBlock ? near.lastIndexOf('/*') : near.lastIndexOf('\n') + 1;
    const comment = isBlock ? 0 : near.slice(line).search(lineCommentPattern);
    const isComment = isBlock ? line !== -1 : line > 0 || comment > 0;
    if (!isComment || comment === -1 || (!isBlock && !text.slice(end, next).includes('\n'))) return next;
    next = from + line + comment + Number(text[from + line + comment] === ',');
  }
  return next;
}

// `], [2`: the end of a row, and the next row up to its first quote.
const rowPattern = /\s*\]\s*,\s*\[[\w\s.,+-]*$/;

/** An item follows, perhaps in the next row: the quote opens a string that ends like an item. */
function endBeforeItem(machine: Machine, token: StringToken, at: number, end: number): LostEnd | undefined {
  const next = codeAt(machine, at + 1);
  if (next === token.delimiter.closers[0] || isWhitespace(next)) return undefined;
  const close = quotedEnd(machine, at, true);
  const isItem = close <= machine.text.length && endsValueAt(machine, close, true);
  if (!isItem) return undefined;
  const { text, frames } = machine;
  const from = Math.max(token.begin, end - maxLine);
  const row = frames.at(-2)?.kind === 'array' ? text.slice(from, end).search(rowPattern) : -1;
  return lostEndAt(machine, token, row === -1 ? end : from + row);
}

/** `["hello, 1], ["x", 2]`: the quote opens the first item of the next row. */
function endBeforeRow(machine: Machine, token: StringToken, at: number, end: number): LostEnd | undefined {
  const { text, frames } = machine;
  if (frames.at(-2)?.kind !== 'array' || text.charCodeAt(end - 1) !== char.closeBracket) return undefined;
  return isStringBefore(machine, at, ']') ? lostEndAt(machine, token, beforeWhitespace(text, end - 1)) : undefined;
}
