import { likely, type Likelihood, possible, unlikely } from './likelihood.ts';
import { nextToken, nextCode } from './next-token.ts';
import { isNameStart, isWhitespace, matchEnd, toNarrow, isIn, isSign } from '../text/characters.ts';
import { isValueAt, isValueWordAt } from './damaged-key.ts';
import { nameEnd, namePartsEnd, wordsEnd } from './name-end.ts';
import { delimiterAt, isStringPrefix } from '../text/delimiters.ts';
import type { Frame, Machine } from '../machine/machine.ts';
import { codeAt, findFrom, startsAt } from '../machine/operations.ts';
import { afterWhitespace, beforeWhitespace, isFirstOnLine } from '../text/plain-text.ts';
import * as char from '../text/char.ts';

/** Number of characters up to which a string or a member is looked at. */
const reach = 1_000;
/** Returns the offset after a string, -1 if a line ends inside it, or `Infinity` if it is too long. */
export function quotedEnd(machine: Machine, at: number, mayBreak = false): number {
  const { closers, close, open } = delimiterAt(machine.text, at);
  const [closer, other] = closers;
  const limit = at + open.length + reach;
  for (let index = at + open.length; index < limit; index += 1) {
    const code = codeAt(machine, index);
    if (code === char.end) break;
    if (code < 0x20 && !mayBreak) return -1;
    if ((code === closer || code === other) && (close === undefined || startsAt(machine, close, index)))
      return index + (close ?? ' ').length;
    if (code === char.backslash) index += 1;
  }
  return Number.POSITIVE_INFINITY;
}

/** Returns whether a quoted key with its colon is at an offset, even in a damaged text whose end proves nothing. */
export const isQuotedKeyAt = (machine: Machine, at: number): boolean => quotedKeyAt(machine, at, true) === likely;

/** Returns whether a quoted key with its colon may be at an offset, or may follow when more text arrives. */
export const mayBeQuotedKeyAt = (machine: Machine, at: number): boolean => quotedKeyAt(machine, at, false) !== unlikely;

/** Returns how likely a quoted key with its colon is at an offset. With `needsProof`, a key that the text cuts is only possible. */
export function quotedKeyAt(machine: Machine, at: number, needsProof: boolean): Likelihood {
  const end = quotedEnd(machine, at);
  if (end === Number.POSITIVE_INFINITY) return needsProof ? possible : likely;
  return end === -1 ? unlikely : colonAt(machine, nextToken(machine, end), needsProof);
}

/** Returns whether an unquoted key with its colon may be at an offset. */
export const mayBeNameKeyAt = (machine: Machine, at: number): boolean => nameKeyAt(machine, at, false) !== unlikely;

/** Returns how likely an unquoted key with its colon is at an offset. */
export function nameKeyAt(machine: Machine, at: number, needsProof: boolean): Likelihood {
  const index = namePartsEnd(machine, at);
  const next = codeAt(machine, index);
  const isHalfQuoted = next === char.quote || next === char.apostrophe;
  const likelihood = colonAt(machine, nextToken(machine, isHalfQuoted ? index + 1 : index), needsProof);
  // Otherwise, the opening quote is missing.
  return likelihood === unlikely && isHalfQuoted && isStringPrefix(machine.text.slice(at, index))
    ? quotedKeyAt(machine, index, needsProof)
    : likelihood;
}

function colonAt(machine: Machine, at: number, needsProof: boolean): Likelihood {
  const code = toNarrow(codeAt(machine, at));
  if (code === char.end) return needsProof ? possible : likely;
  // In a document with colons, `=` is more likely code.
  if (code === char.equals && needsProof && machine.frame?.kind === 'object' && !isDocumentSign(machine, at))
    return possible;
  return isSign(code) ? likely : unlikely;
}

/** Returns whether the sign at an offset is the one that was used between keys and values before. */
export function isDocumentSign(machine: Machine, at: number): boolean {
  const { colon } = machine;
  if (colon === '' || !startsAt(machine, colon, at)) return false;
  return colon !== '=' || codeAt(machine, at + 1) !== char.greater;
}

/** `copies" "one", `: a key without its opening quote and its colon. */
export function isHalfQuotedBeforeValue(machine: Machine, at: number): boolean {
  const end = nameEnd(machine, at);
  if (end === at || codeAt(machine, end) !== char.quote) return false;
  const next = nextToken(machine, end + 1);
  return next > end + 1 && isStringBefore(machine, next, '}');
}

/** Returns whether a string in quotes is at an offset, with a comma or one of some characters after its next quote. */
export function isStringBefore(machine: Machine, at: number, ends: string, quote = '"'): boolean {
  const close = startsAt(machine, quote, at) ? findFrom(machine, quote, at + 1) : -1;
  return close !== -1 && isIn(`,${ends}`, nextCode(machine, close + 1));
}

/** Returns whether an offset is at the beginning of a line, with the indentation of the first member of its object. */
export function isLaidOutAs({ text, ended }: Machine, { start }: Frame, at: number): boolean {
  if (!ended || !isIn('\n\r', text.charCodeAt(start + 1))) return false;
  const white = text.slice(start + 1, afterWhitespace(text, start + 1));
  const indentation = white.slice(Math.max(0, white.lastIndexOf('\n')));
  return indentation.length < reach && text.startsWith(indentation, at - indentation.length);
}

// A key with quoted words, without its colon or with a semicolon instead, without its last quote, or without its first one; and the beginning of a value.
const keyOfLinePattern =
  /(?:"(?:(?:[^"\n:,{}]{1,60}"){2}[^"\n:,{}]{0,60}"\s?:\s?|[^"\\\n]{1,80}(?:";?[ \t]+|:[ \t]+))|(?![\s/#])(?:[^"'`\\\n,:;(){}[\]]|:(?![\s"])){1,64}":[ \t]+)(?:["\d{[-]|true|false|null)/y;

/** `⏎  "the ("big") one": 1`, `⏎  "a/b" 1`, `⏎  "a/b: 1`, `⏎  a/b": 1`: returns whether a damaged key and a value are on a line like the first member. */
export const isKeyOfLineAt = (machine: Machine, frame: Frame, at: number): boolean =>
  isLaidOutAs(machine, frame, at) && matchEnd(keyOfLinePattern, machine.text, at) !== -1;

/**
 * Returns whether the next row of a list is at an offset, by its first key: the row at the level lacks its closing brace
 * (`[{"id": 1, {"id": 2}`), or the list around the row above the level lacks its bracket (`"rows": {"id": 1}, {"id": 2}`).
 * Instead of the key or the comma, the column of the brace may show it.
 */
export function isNextRowAt(machine: Machine, at: number, level: number, hasComma: boolean): boolean {
  const frame = machine.frames[level];
  if (frame?.kind !== 'object' || codeAt(machine, at) !== char.openBrace) return false;
  const begin = nextToken(machine, at + 1);
  if (codeAt(machine, begin) !== char.quote || !isQuotedKeyAt(machine, begin)) return false;
  const isOfList = machine.frames[level - 1]?.kind === 'array';
  if (isOfList && isInColumnOf(machine.text, at, frame.start)) return true;
  if (!hasComma) return false;
  const name = nameAt(machine, begin);
  if (hasKey(frame, name)) return isOfList;
  const row = machine.frames[level + 1];
  return row?.kind === 'object' && hasKey(row, name);
}

/** Returns whether only the same white space precedes two offsets on their lines. */
function isInColumnOf(text: string, at: number, other: number): boolean {
  if (!isFirstOnLine(text, at)) return false;
  const white = text.slice(text.lastIndexOf('\n', at), at);
  return white.length < reach && text.startsWith(white, other - white.length);
}

const hasKey = ({ key, members }: Frame, name: string): boolean => name === key || Object.hasOwn(members, name);

/** Returns the text of the quoted key at an offset. */
export const nameAt = ({ text }: Machine, at: number): string => text.slice(at + 1, text.indexOf('"', at + 1));

/** Returns whether a code fence closes at an offset: only white space follows on its line. */
export function isClosingFence(machine: Machine, at: number): boolean {
  if (!startsAt(machine, '```', at)) return false;
  const next = codeAt(machine, at + 3);
  return next === char.end || isWhitespace(next);
}

/** Returns whether a quoted key with its colon and a value is at an offset. */
export function isQuotedMemberAt(machine: Machine, at: number): boolean {
  return isQuotedKeyAt(machine, at) && hasValueAfterKey(machine, at);
}

/** Returns whether the text after the quoted key at an offset and its colon begins like a value. */
export function hasValueAfterKey(machine: Machine, at: number): boolean {
  const end = quotedEnd(machine, at);
  const sign = end < 0 || end > machine.text.length ? at : nextToken(machine, end);
  if (toNarrow(codeAt(machine, sign)) !== char.colon) return true;
  const value = nextToken(machine, sign + 1);
  if (!isNameStart(codeAt(machine, value)) || isValueWordAt(machine, value)) return true;
  // `"draft": yes"}`: words with a closing quote are the rest of a text.
  return codeAt(machine, wordsEnd(machine, value)) !== char.quote;
}

/** Returns the end of the name at an offset, or of several names before a colon and a value. `{first name: "Ada"}` */
export function keyNameEnd(machine: Machine, at: number): number {
  const end = namePartsEnd(machine, at);
  if (codeAt(machine, end) !== char.space || machine.frame?.kind !== 'object') return end;
  const last = wordsEnd(machine, at);
  const isKey = codeAt(machine, last) === char.colon && isValueAt(machine, nextToken(machine, last + 1));
  return isKey ? beforeWhitespace(machine.text, last) : end;
}

/** `NOTE "body": …`, `HERE IS MORE⏎"body": …`: returns the end of stray words before a key, or -1. */
export function wordsBeforeKeyEnd(machine: Machine, at: number): number {
  if (machine.frame?.hasBareKeys === true || isValueWordAt(machine, at)) return -1;
  const end = wordsEnd(machine, at);
  const key = nextToken(machine, end);
  if (codeAt(machine, key) !== char.quote || (key === end && codeAt(machine, end - 1) !== char.space)) return -1;
  return isQuotedMemberAt(machine, key) ? end - Number(key === end) : -1;
}
