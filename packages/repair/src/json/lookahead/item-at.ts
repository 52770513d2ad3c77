import * as char from '../text/char.ts';
import { isJsonObject } from '../result/json-value.ts';
import { likely, possible, unlikely, type Likelihood, type Place } from './likelihood.ts';
import { quotedEnd, isQuotedKeyAt, isClosingFence, isDocumentSign } from './key-at.ts';
import { wordsEnd } from './name-end.ts';
import { nextToken, nextCode } from './next-token.ts';
import { isCloser, toNarrow, matchEnd, isIn, isDigit, isNameStart, isWhitespace, isSign } from '../text/characters.ts';
import { isValueAt, isValueWordAt, isHalfQuotedKeyAt } from './damaged-key.ts';
import { mayOpenString, otherDelimiterAt, tokenQuote } from '../text/delimiters.ts';
import type { Machine } from '../machine/machine.ts';
import { codeAt, startsAt, waitFor } from '../machine/operations.ts';
import { isFirstOnLine, isTerminalCode } from '../text/plain-text.ts';

/** How likely an item of a list is at a place after a value. `from` is the end of the value, or -1 if anything precedes the place. */
export function itemAt(machine: Machine, place: Place, from: number): Likelihood {
  const { at, code, hasComma, isDamaged } = place;
  if (isClosingFence(machine, at)) return isDamaged ? unlikely : likely;
  if (beginsValue(code) || (code === char.openParen && hasComma && !isDamaged) || isEntityAt(machine, at, code)) {
    const isNumber = isDigit(code) || code === char.minus;
    return hasComma || (!isDamaged && (!isNumber || isNumberItemAt(machine, at))) ? likely : possible;
  }
  if (isNameStart(code) && isItemWordAt(machine, at, hasComma, isDamaged)) return likely;
  // `"x", +1` `"x", .5`
  const isSigned = hasComma && (code === char.plus || code === char.dot) && isDigit(codeAt(machine, at + 1));
  if (hasComma && !isDamaged && (isSigned || isLooseItemAt(machine, at, code))) return likely;
  if (hasComma && (isSigned || isNameStart(code))) return possible;
  if (code === char.backslash && !isDamaged && (hasComma || isWhitespace(machine.text.charCodeAt(at - 1))))
    // `\"` that opens a string, or `\u` in a string whose opening quote is missing.
    return isIn('"u', codeAt(machine, at + 1)) ? likely : unlikely;
  return isSign(code) && from !== -1 && !hasComma ? signAfterItem(machine, place, from) : otherAt(machine, place);
}

/** A list item with a colon after it is the next key of the object around the list, which was not closed. */
function signAfterItem(machine: Machine, { at, code, isDamaged }: Place, from: number): Likelihood {
  // Or it is the key of a row without its opening brace.
  const isFirst = !isDamaged && (machine.frame?.items.length === 0 || isJsonObject(machine.frame?.items.at(-1)));
  if (!isFirst && !machine.frames.some((frame) => frame.kind === 'object')) return unlikely;
  // `"=A1"`: a sign directly after a quote is more likely text.
  const next = codeAt(machine, at + 1);
  const isGlued = code === char.equals && at === from && next !== char.greater && next !== char.space;
  return isDamaged || (isGlued && !isDocumentSign(machine, at)) ? possible : likely;
}

/** After a value, anything except a member or an item. */
export function otherAt(machine: Machine, { at, code, hasComma, isDamaged }: Place): Likelihood {
  if (code === char.plus && !hasComma) {
    const operand = nextToken(machine, at + 1);
    return (!isDamaged && isEndAt(machine, operand)) || endsLikeValueAt(machine, operand) ? likely : unlikely;
  }
  if (isDamaged) return unlikely;
  if (code === char.dot || isCloser(code)) return possible;
  return isWrapperEnd(machine, at) ? likely : unlikely;
}

/** Returns whether words are an item: a value after a comma or, if nothing is damaged, words that fill the item. */
function isItemWordAt(machine: Machine, at: number, hasComma: boolean, isDamaged: boolean): boolean {
  if (hasComma && isValueWordAt(machine, at)) return true;
  if (isDamaged || !(hasComma || isValueWordAt(machine, at))) return false;
  const end = wordsEnd(machine, at);
  const quote = Number(codeAt(machine, end) === char.quote);
  const after = nextToken(machine, end + quote);
  const next = codeAt(machine, after);
  if (next !== char.comma) return isCloser(next);
  return machine.text.slice(at, end).trim().includes(' ') ? isValueAt(machine, nextToken(machine, after + 1)) : true;
}

const numberPattern = /[\d.+\-eE]{0,64}/y;

/** `"x" 12, ` `"x"-1]`: a number without a comma before it, followed by a comma or the closer. */
function isNumberItemAt(machine: Machine, at: number): boolean {
  const next = nextCode(machine, matchEnd(numberPattern, machine.text, at));
  return next === char.comma || next === machine.frame?.closer;
}

const maxItem = 120;
const lateQuoteReach = 200;

/** `widget@example.com", `: an item that has only its closing quote. */
export function isLateQuotedAt(machine: Machine, at: number): boolean {
  let end = at;
  for (; end < at + lateQuoteReach; end += 1) {
    const code = codeAt(machine, end);
    if (code === char.quote) break;
    if (code < 0x20 || code === char.openBrace) return false;
    if (code === char.openBracket && !isTerminalCode(machine.text, end)) return false;
  }
  if (end === at || codeAt(machine, end) !== char.quote || codeAt(machine, end - 1) <= 0x20) return false;
  return isIn(',])', nextCode(machine, end + 1));
}

/** Returns whether a string at an offset ends like a value, so that it may continue the string before it. */
function endsLikeValueAt(machine: Machine, at: number): boolean {
  if (!mayOpenString(codeAt(machine, at))) return false;
  const end = quotedEnd(machine, at, true);
  if (end === Number.POSITIVE_INFINITY) return true;
  const after = nextToken(machine, end);
  const next = toNarrow(codeAt(machine, after));
  const isClosed = next === char.closeParen && machine.frames.some((frame) => frame.closer === next);
  if (isClosed || isIn(',+}]', next) || next === char.end) return true;
  // The next key, without a comma before it or with another sign.
  const key = next === char.semicolon ? nextToken(machine, after + 1) : after;
  return mayOpenString(codeAt(machine, key)) && isQuotedKeyAt(machine, key);
}

/** `"x"⏎"y",`: a string on the line below another one in an object continues it, as in Python and C. */
export function isContinuedAt(machine: Machine, at: number): boolean {
  return isFirstOnLine(machine.text, at) && codeAt(machine, at) === char.quote && endsLikeValueAt(machine, at);
}

/** Returns whether a comma, a closer or the end of the text is at an offset. */
export function isEndAt(machine: Machine, at: number): boolean {
  const code = codeAt(machine, at);
  return code === char.end || isIn(',}])', code);
}

/** `` `{…}` ``, `{…}⏎``⏎`: returns whether backticks end a document: code in a sentence, or a damaged fence on a separate line. */
export function endsCodeAt(machine: Machine, at: number): boolean {
  const { text, frames } = machine;
  if (startsAt(machine, '``', at) && isFirstOnLine(text, at)) return true;
  return text[at] === '`' && text[(frames[0]?.start ?? 0) - 1] === '`';
}

/** Returns whether a code fence or a closing tag is at an offset, which ends a wrapped document. */
export function isWrapperEnd(machine: Machine, at: number): boolean {
  // Directly after a quote, a token for quotes is a stray one.
  const isQuote = isIn(`"'`, machine.text.charCodeAt(at - 1)) && startsAt(machine, tokenQuote, at);
  const isToken = !isQuote && startsAt(machine, '<|', at);
  return isToken || startsAt(machine, '```', at) || startsAt(machine, '</', at);
}

// A path, an address or a name without white space, and the comma or the bracket after it.
const pathItemPattern = /(?!\/[/*])[\w./@*~$#][^\s"'`,;()[\]{}<>\\]{0,100}\s{0,9}[,\]]/y;

/** Returns whether an item in an unusual notation is at an offset: in a type, without quotes, or without its opening quote. */
function isLooseItemAt(machine: Machine, at: number, code: number): boolean {
  const { text } = machine;
  waitFor(machine, at + maxItem);
  if (matchEnd(pathItemPattern, text, at) !== -1) return true;
  if (isNameStart(code) && typeEnd(text, at) !== -1) return true;
  if (code > 0x20 && !isCloser(code) && isFirstOnLine(text, at)) return true;
  return isLateQuotedAt(machine, at) || isHalfQuotedKeyAt(machine, at);
}

/** Returns whether a character begins a string, a container or a number. */
export function beginsValue(code: number): boolean {
  const isContainer = code === char.openBrace || code === char.openBracket;
  return mayOpenString(code) || isContainer || isDigit(code) || code === char.minus;
}

/** `&quot;` or `<escape>` that opens a string. */
export function isEntityAt({ text }: Machine, at: number, code: number): boolean {
  return (code === char.ampersand || code === char.less) && otherDelimiterAt(text, at) !== undefined;
}

export function isEllipsisAt(machine: Machine, at: number): boolean {
  return codeAt(machine, at) === 0x2026 || startsAt(machine, '...', at);
}

// A type of MongoDB, Python or JavaScript, and one value in its parentheses.
const typePattern =
  /(?:new\s{1,9}[\w$.]{1,60}|(?:[\w$]{1,40}\.){0,4}(?:[A-Z][\w$]{0,40}|(?:frozen)?set|list|tuple|dict|array|str|u?int\d*|float\d*|bool|bytes|date(?:time)?))\((?=\s{0,20}(?:"(?:[^"\\]|\\.){0,400}"|'(?:[^'\\]|\\.){0,400}'|-?[\d.]{1,40}|(?<=set\())\s{0,20}\)\s{0,20}(?:[,}\]]|$)|\s{0,20}[[{])/y;

/** Returns the offset of the parenthesis of such a type at an offset, or -1. */
export function typeEnd(text: string, at: number): number {
  const end = matchEnd(typePattern, text, at);
  return end === -1 ? -1 : end - 1;
}
