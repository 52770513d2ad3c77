import { beforeWhitespace } from '../text/plain-text.ts';
import { isNamePart, isWhitespace, toNarrow, isIn, isOpener } from '../text/characters.ts';
import { isDamagedKeyAt, afterSign, isValueAt } from './damaged-key.ts';
import { endsValueAt } from './follows-at.ts';
import { hasValueAfterKey, isStringBefore, quotedEnd, isQuotedKeyAt } from './key-at.ts';
import type { Machine, StringToken, Frame } from '../machine/machine.ts';
import { codeAt } from '../machine/operations.ts';
import { nextToken, writtenWhitespace } from './next-token.ts';
import { depthAt } from '../machine/string-token.ts';
import { isFolder } from './windows-path.ts';
import { wrongCloserLength } from './other-quotes.ts';
import * as char from '../text/char.ts';

/** The end of a string without its closing quote. */
export interface LostEnd {
  readonly end: number;
  /** The offset at which reading continues: after another kind of quote that closes the string, if there is one. */
  readonly resume: number;
  /** Set if the string is a path, and its last backslash escapes nothing. */
  readonly isRaw?: true;
  /** Whether the text was certainly not cut: three or more closers of both kinds follow, which the string did not open. */
  readonly isProven?: boolean;
}

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

/** Returns where a value without its closing quote ends before a key in a container of the given kind. */
function endBeforeKey(
  machine: Machine,
  token: StringToken,
  { at, opener }: { readonly at: number; readonly opener: number },
  from: number,
  kind: Frame['kind'],
): LostEnd | undefined {
  const { text, frames } = machine;
  let depth = depthAt(machine, token, at) - Number(opener < at && isOpener(text.charCodeAt(opener)));
  if (depth > 0) return undefined;
  let level = frames.length - 1 + depth;
  const closers = depth < -1 && frames[level]?.kind === kind ? beforeClosers(machine, from, level + 1) : undefined;
  if (closers !== undefined && closers > token.begin) return lostEndAt(machine, token, closers);
  level = frames.length - 1;
  let end = from;
  while (depth < 0 && end > token.begin && toNarrow(text.charCodeAt(end - 1)) === frames[level]?.closer) {
    end = trimBefore(machine, end - 1);
    depth += 1;
    level -= 1;
  }
  // `["hello, "next": 1`: the closer of the list is missing too.
  const isUnclosed =
    level === frames.length - 1 && kind === 'object' && frames.at(-2)?.kind === 'object' && opener === at;
  if (frames[level]?.kind !== kind && !(isUnclosed && !token.isDamaged)) return undefined;
  return lostEndAt(machine, token, end);
}

/**
 * Returns the start of the closers that end at an offset, if they close every container down to a level. Otherwise
 * returns `undefined` instead of -1, which in a stream is an offset before the text that is kept.
 */
function beforeClosers(machine: Machine, from: number, level: number): number | undefined {
  let end = from;
  for (const frame of machine.frames.slice(level)) {
    if (toNarrow(machine.text.charCodeAt(end - 1)) !== frame.closer) return undefined;
    end = trimBefore(machine, end - 1);
  }
  return end;
}

const scalarsPattern = /(?:\s*,\s*(?:null|true|false|-?\d{1,20}(?:\.\d{1,20})?)){1,8}$/;

/** Ends a value at an offset. In a list, the value may have included further items: `["hello, null, 3]`. */
function lostEndAt(machine: Machine, token: StringToken, end: number): LostEnd | undefined {
  const { frame, text } = machine;
  if (end <= token.begin) return undefined;
  if (frame?.kind !== 'array') return endWithoutQuote(machine, token, end);
  const from = Math.max(token.begin, end - 100);
  const scalars = scalarsPattern.exec(text.slice(from, end));
  return endWithoutQuote(machine, token, scalars === null ? end : from + scalars.index);
}

/** Ends a value at an offset, before a quote of another kind. */
export function endWithoutQuote(machine: Machine, token: StringToken, resume: number): LostEnd {
  if (isFolder(machine.text, token.begin, resume)) return { end: resume - 1, resume, isRaw: true };
  return { end: resume - wrongCloserLength(machine, token, resume), resume };
}

/** Returns the start of the white space that ends at an offset, also of escaped white space if there was any. */
function trimBefore({ repairs, text }: Machine, from: number): number {
  let end = beforeWhitespace(text, from);
  if (!repairs.slice(0, 8).some(({ code }) => code === writtenWhitespace)) return end;
  while (text[end - 2] === '\\' && isIn('nrt', text.charCodeAt(end - 1))) end = beforeWhitespace(text, end - 2);
  return end;
}

// Closers, a comma or a line break, openers, and a name.
const namePattern = /([\]}\s]*)[,;，\n]([\s{]*)[A-Za-z_$][\w$-]{0,40}$/;

/** `{"a": "hello, b": "x"}`: the quote closes the next key, whose opening quote is missing. */
function endBeforeHalfQuotedKey(machine: Machine, token: StringToken, at: number): LostEnd | undefined {
  // A stream has already delivered the text that would have to be withdrawn.
  if (!machine.ended || token.isDamaged) return undefined;
  const value = afterSign(machine, at + 1);
  if (value === -1 || machine.frame?.kind !== 'object' || !isValueAt(machine, nextToken(machine, value)))
    return undefined;
  return endBeforeMatch(machine, token, at, namePattern);
}

/** Returns the end of a value before members that match a pattern. `[{"a": "hello}, {b": "x"}]`: of the next row. */
function endBeforeMatch(machine: Machine, token: StringToken, at: number, pattern: RegExp): LostEnd | undefined {
  const from = Math.max(token.begin, at - reach);
  const found = pattern.exec(machine.text.slice(from, at));
  if (found === null) return undefined;
  const [, closers = '', openers = ''] = found;
  const start = from + found.index + closers.length;
  const end = trimBefore(machine, start);
  if (end <= token.begin) return undefined;
  const kind = openers.includes('{') ? 'array' : 'object';
  if (kind === 'object' && pattern === namePattern) return endWithoutQuote(machine, token, end);
  return endBeforeKey(machine, token, { at: start, opener: start }, end, kind);
}

const reach = 200;

// Closers, a comma or a line break, openers, and then only unquoted keys, their signs, brackets, numbers and words.
const bareMembersPattern =
  /([\]}\s]*)[,;，\n]([\s{]*)[A-Za-z_$][\w$]{0,40}\s*[:=：](?:[[\]{}\s,;，.+-]|\d|true|false|null|True|False|None|[A-Za-z_$][\w$]{0,40}\s*[:=：])*$/;

/** `{a: "hello, c: 1, b: "x"}`: the quote opens the value of a later unquoted key, like the earlier keys. */
function endBeforeBareKey(machine: Machine, token: StringToken, at: number): LostEnd | undefined {
  if (!machine.ended || token.isDamaged) return undefined;
  const isBare = machine.frames.slice(-3).some(({ hasBareKeys, kind }) => kind === 'object' && hasBareKeys);
  return isBare ? endBeforeMatch(machine, token, at, bareMembersPattern) : undefined;
}
