import { afterWhitespace, beforeWhitespace } from '../text/plain-text.ts';
import { likely, possible, unlikely, type Likelihood } from './likelihood.ts';
import { nextToken, nextCode } from './next-token.ts';
import { afterSign, isDamagedKeyAt, isValueAt, loneKeyEnd } from './damaged-key.ts';
import { nameEnd, namePartsEnd } from './name-end.ts';
import { endsValueAt, followAt } from './follows-at.ts';
import { isKeyOfLineAt, isQuotedKeyAt, isStringBefore, quotedKeyAt } from './key-at.ts';
import { hasOpenEscape, isCurlyCloser, isInchMark, isOfThree } from './other-quotes.ts';
import { endWithoutQuote, type LostEnd } from './lost-value-end.ts';
import type { Machine, StringToken } from '../machine/machine.ts';
import { codeAt, findFrom } from '../machine/operations.ts';
import { depthAt } from '../machine/string-token.ts';
import { isCloser, isNameStart, toNarrow, matchEnd, isIn } from '../text/characters.ts';
import { followsEmptyString, mayOpenString } from '../text/delimiters.ts';
import * as char from '../text/char.ts';

const escapedKeyPattern = /(?:\s|\\[nrt]){0,20}\\"\w{1,64}\\"\s{0,9}:/y;
// A word without a colon.
const noKeyPattern = /[A-Za-z_$][\w$-]{0,40}"?(?![\w$"-]|\s{0,9}:)/y;
const escapedCloserPattern = /\s{0,20},\s{0,20}(?="\w{1,64}\\"\s{0,9}:)/y;

/** Returns how likely it is that the string ends at the quote at `quoteAt`, judged by the text at `after`. */
export function endsAt(machine: Machine, token: StringToken, after: number, quoteAt: number): Likelihood {
  if (token.role === 'key') return keyEndsAt(machine, token, after, quoteAt);
  // `"board (4")"`: parentheses that the text opened are closed in it.
  if (codeAt(machine, after) === char.closeParen && isParenthesisOpen(machine, token, quoteAt)) return unlikely;
  if (isInchMark(machine, token, after, quoteAt) || isOfThree(machine, token, quoteAt)) return unlikely;
  const likelihood = followAt(machine, after, machine.frames.length - 1, token.isDamaged);
  if (likelihood === likely) return mayGoOn(machine, token, after, quoteAt) ? possible : likely;
  const mayEnd = likelihood === unlikely && !token.isDamaged && isBeforeStrayQuote(machine, after);
  return mayEnd && depthAt(machine, token, quoteAt) === 0 ? likely : likelihood;
}

/** Returns whether the quote may be part of the string although the text after it usually follows a value. */
function mayGoOn(machine: Machine, token: StringToken, after: number, quoteAt: number): boolean {
  const { ended, frame, repairs, text } = machine;
  // Directly after a quote, `#` is more likely text than a comment.
  if (text.charCodeAt(after) === char.hash && !repairs.slice(-8).some(({ code }) => code === 'hash-comment'))
    return true;
  // Text with its own quotes is often code: inside its braces, a comma or brace belongs to the code.
  if (token.isDamaged) return depthAt(machine, token, quoteAt) > 0;
  if (!ended) return false;
  const hasEscape = token.run > token.begin;
  if (hasEscape && (isBeforeOddSign(machine, after) || isBeforeRest(machine, token, after)))
    return hasOpenEscape(machine, token, quoteAt);
  if (frame?.kind !== 'object') return false;
  // `"{\"a\": \"b", "c\": 1}"`: the quote after `b` lacks its backslash, as the next string shows.
  const next = matchEnd(escapedCloserPattern, text, after);
  return next !== -1 && hasOpenEscape(machine, token, quoteAt) && quotedKeyAt(machine, next, true) === unlikely;
}

/** `"if [ \"$a" ]; then"`: returns whether a sign follows that can't follow a string here. */
function isBeforeOddSign(machine: Machine, after: number): boolean {
  const { frame, text } = machine;
  const at = afterWhitespace(text, after);
  const code = text.charCodeAt(at);
  const next = afterWhitespace(text, at + 1);
  if (isIn(')]}', code)) return code !== frame?.closer;
  const isList = frame?.kind === 'array';
  if (code === char.semicolon) return isList ? text[next] !== '"' : !isQuotedKeyAt(machine, nextToken(machine, next));
  if (code !== char.comma) return false;
  const isQuotedDue = !isList && frame?.hasBareKeys === false;
  return matchEnd(escapedKeyPattern, text, at + 1) !== -1 || (isQuotedDue && matchEnd(noKeyPattern, text, next) !== -1);
}

/**
 * `"{\"a\": \"b"} is it"}`: returns whether closers end the document directly after a quote, text follows on their line,
 * and another quote and the same closers at the end of the text.
 */
function isBeforeRest(machine: Machine, token: StringToken, after: number): boolean {
  let depth = machine.frames.length - 1;
  let at = after;
  for (; isCloser(codeAt(machine, at)); at += 1) {
    if (codeAt(machine, at) !== machine.frames[depth]?.closer && at > after) return false;
    depth -= 1;
  }
  if (depth >= 0) return false;
  while (codeAt(machine, at) === char.space) at += 1;
  if (isIn('\r\n,{["', toNarrow(codeAt(machine, at)))) return false;
  const end = beforeDueClosers(machine, token);
  const quote = end > at ? findFrom(machine, '"', at) : -1;
  if (quote === -1 || quote > end) return false;
  // Another opener may begin another document, and a quote after a digit may be a mark of inches.
  const { begin } = token;
  return !/[{[]/.test(machine.text.slice(at, end)) && !/\d\\"/.test(machine.text.slice(begin, after));
}

/** `"x"}", "next": 1`: returns whether a closer, a quote that opens nothing, and the next member or item follow. */
function isBeforeStrayQuote(machine: Machine, after: number): boolean {
  let depth = machine.frames.length - 1;
  let at = after;
  for (; codeAt(machine, at) === machine.frames[depth]?.closer; at += 1) depth -= 1;
  if (at === after || depth < 0 || codeAt(machine, at) !== char.quote || machine.text[after - 2] === ' ') return false;
  return nextCode(machine, at + 1) === char.comma && followAt(machine, at + 1, depth, true) === likely;
}

/** If a comment takes the rest of the text, the closers are missing. */
export const endlessComment = 'a line break after the comment';

const commentPattern = /[ \t]+(?:\/\/|# )[^\n]*[}\]][^\n]*$/y;

/** `"b" // note }`: a comment without a line end, which includes the closers. */
export const isCommentToEnd = (text: string, at: number): boolean => matchEnd(commentPattern, text, at) !== -1;

/** Returns whether more parentheses are opened than closed in a string up to an offset. */
function isParenthesisOpen({ text }: Machine, { begin }: StringToken, at: number): boolean {
  const content = text.slice(Math.max(begin, at - 1_000), at);
  return content.split('(').length > content.split(')').length;
}

function keyEndsAt(machine: Machine, token: StringToken, after: number, quoteAt: number): Likelihood {
  const at = nextToken(machine, after);
  const code = toNarrow(codeAt(machine, at));
  if (code === char.colon || code === char.end) return likely;
  if (hasSignBefore(machine, token, quoteAt)) return isColonInside(machine, after, at, quoteAt) ? likely : possible;
  if (code === char.equals || (code === char.semicolon && isValueAt(machine, nextToken(machine, at + 1))))
    return likely;
  // `{"a", "b"}`, `{"a", "b": 1}`: a string follows that is an item or a key.
  const quote = String.fromCharCode(token.delimiter.closers[0]);
  const isAlone =
    code === char.comma ? isPartAt(machine, nextToken(machine, at + 1), quote) : isLast(machine, token, after);
  if (!token.isDamaged && isAlone) return likely;
  if (code === machine.frame?.closer || code === char.comma) return possible;
  if (at > after && (isNameStart(code) || mayOpenString(code) || code === char.openParen)) return likely;
  if (at > after) return isValueAt(machine, at) ? likely : possible;
  // `"key"1`, `"key""text"`, `"two words""text", `
  if (isValueAt(machine, at) && nameEnd(machine, token.begin) === quoteAt) return likely;
  return isStringBefore(machine, at, '}') ? likely : possible;
}

/** `{"a", "b"`, `{"a", 1`: returns whether an item, a key or a value begins at an offset. */
function isPartAt(machine: Machine, at: number, quote: string): boolean {
  if (codeAt(machine, at) === char.quote || quote !== '"') return isStringBefore(machine, at, '}:', quote);
  return isValueAt(machine, at);
}

/** `{"a": {"x"}}`, `{"a": {"x": 1, "y"}, "b": 2}`: returns whether an object ends with a key without a value. */
function isLast(machine: Machine, { start }: StringToken, after: number): boolean {
  const { frame, frames } = machine;
  const isSet = frame?.keyBits === 0;
  const brace = nextToken(machine, after);
  if (codeAt(machine, brace) !== char.closeBrace || frame?.kind !== 'object') return false;
  if (isSet ? frames.length < 2 : loneKeyEnd(machine, start) !== after) return false;
  return followAt(machine, brace + 1, frames.length - 2, isSet) === likely;
}

/** `"path: "`, `"tags = ["`: the string holds a name and a sign, perhaps an opener, so this quote opens a value. */
function hasSignBefore(machine: Machine, token: StringToken, quoteAt: number): boolean {
  const name = nameEnd(machine, token.begin);
  let at = name === token.begin ? -1 : afterSign(machine, name);
  if (at === -1 || at > quoteAt) return false;
  while (at < quoteAt && isIn(' \t\r\n[{［｛', machine.text.charCodeAt(at))) at += 1;
  return at === quoteAt;
}

/** `"path:" "a"`: the colon is before the closing quote. In `"path: "a"`, `"path:"", `, this quote opens a value. */
function isColonInside(machine: Machine, after: number, at: number, quoteAt: number): boolean {
  if (toNarrow(machine.text.charCodeAt(quoteAt - 1)) !== char.colon || !isValueAt(machine, at)) return false;
  const code = codeAt(machine, at);
  if (at > after) return true;
  if (code === char.quote) return !followsEmptyString(codeAt(machine, at + 1));
  if (code === char.openBrace || code === char.openBracket) return isValueAt(machine, nextToken(machine, at + 1));
  return isIn(',}])', nextCode(machine, namePartsEnd(machine, at)));
}

/** `"path: "a"`: a name and a colon precede the first quote of an expected key. */
export function lostKeyEnd(machine: Machine, token: StringToken, at: number): LostEnd | undefined {
  if (token.isDamaged) return undefined;
  const { text } = machine;
  const { begin } = token;
  const name = nameEnd(machine, begin);
  const isName = afterSign(machine, name) !== -1;
  // `"https://a.b: 1`, `"build:all: "x"`: without a space or a value after it, a colon may be in the key.
  const apart = isName && text[name] !== ':' ? -1 : text.slice(begin, at).search(/:(?=[\s"'\d[{-])/);
  const colon = apart !== -1 ? apart : isName ? name - begin : text.slice(begin, at).indexOf(':');
  if (colon === -1) return undefined;
  const end = beforeWhitespace(text, begin + colon);
  // `'path": 1`, `"path': 1`, `"path\": 1`: the string ends with another kind of quote.
  const [quote = ''] = /(?<=[^\\])\\?["'\u201d]$/.exec(text.slice(begin, end)) ?? [];
  return end > begin ? { end: end - quote.length, resume: end } : undefined;
}

/** `'text"`, `"text”`: returns the end of a string that has no quote of its own kind but of another, or -1. */
export function closedByOther(machine: Machine, token: StringToken): number {
  const { delimiter, begin, end, role } = token;
  if (end !== -1 || delimiter.open.length > 1) return -1;
  if (machine.backtracks >= machine.limits.backtracks) return -1;
  // A text without curly quotes around strings may contain some.
  const isPlain = delimiter.code === undefined;
  const quote = findFrom(machine, isPlain ? '\u201d' : '"', begin);
  if (quote === -1 || quote - begin > 1_000 || (isPlain && !isCurlyCloser(machine, token, quote))) return -1;
  const next = toNarrow(nextCode(machine, quote + 1));
  if (role === 'key') return next === char.colon ? quote : -1;
  // A text can be cut after a quote inside a string.
  const isCut = next === char.end && machine.frames.length > 0;
  const isInside = isCut || (isPlain && matchEnd(escapedQuotePattern, machine.text, quote + 1) !== -1);
  return !isInside && endsValueAt(machine, quote + 1, false) ? quote : -1;
}

/** `”,\"size\":`: the next key is escaped, so it is part of the string. */
const escapedQuotePattern = /[\s,}\]]{0,20}\\["\\]/y;

/** `"count: 20}`: a name, a colon and a value, and all expected closers. A cut key can't contain closers. */
export function lostKeyAtTextEnd(machine: Machine, token: StringToken): LostEnd | undefined {
  const { frame } = machine;
  const isKey =
    isDamagedKeyAt(machine, token.start) || (frame !== undefined && isKeyOfLineAt(machine, frame, token.start));
  if (token.end !== -1 || !isKey) return undefined;
  const last = beforeDueClosers(machine, token);
  return last === -1 ? undefined : lostKeyEnd(machine, token, last);
}

/**
 * `"hello}`: every expected closer is at the end of the text, and only the quote is missing. A truncated string can end
 * in the same way, so this counts only if the string did not open what is closed and the model is not known to have been
 * cut, if the closers have a separate line, which no valid string has, or if the model stopped by itself.
 */
export function lostAtTextEnd(machine: Machine, token: StringToken): LostEnd | undefined {
  const { text } = machine;
  const end = token.end === -1 ? beforeDueClosers(machine, token) : -1;
  if (end === -1) return undefined;
  const last = beforeWhitespace(text, end);
  const lost = endWithoutQuote(machine, token, last);
  if (lost.isRaw === true) return lost;
  const isOwnLine = text.slice(last, end).includes('\n');
  // Closers that the string did not open: a text that was cut rarely ends with exactly these.
  const isForeign = machine.stopped !== 'length' && last > token.begin && depthAt(machine, token, end) === 0;
  if (last < token.begin || (!isOwnLine && machine.stopped !== 'stop' && !isForeign)) return undefined;
  const kinds = new Set(machine.frames.map(({ kind }) => kind));
  return { ...lost, isProven: isForeign && machine.frames.length > 2 && kinds.size > 1 };
}

const maxAfter = 2_000;

/** Returns the start of the closers at the end of the text or its fence, if they are exactly the expected ones, or -1. */
function beforeDueClosers(machine: Machine, token: StringToken): number {
  const { text, frames } = machine;
  // Text without quotes and brackets may follow a fence.
  const fence = findFrom(machine, '\n```', token.begin);
  const isFenced = fence !== -1 && text.length - fence < maxAfter && !/["[\]{}]/.test(text.slice(fence));
  let end = beforeWhitespace(text, isFenced ? fence : text.length);
  if (text.endsWith('```', end)) end -= 3;
  for (const frame of frames) {
    end = beforeWhitespace(text, end);
    if (end <= token.begin || text.charCodeAt(end - 1) !== frame.closer) return -1;
    end -= 1;
  }
  return frames.length === 0 ? -1 : end;
}
