import { afterWhitespace, codeBefore } from '../text/plain-text.ts';
import { isDamagedKeyAt, isPlainKeyAt, isValueAt, isValueWordAt } from '../lookahead/damaged-key.ts';
import { nameEnd } from '../lookahead/name-end.ts';
import { nextToken, nextCode } from '../lookahead/next-token.ts';
import { beginsValue, isEllipsisAt, isWrapperEnd, isLateQuotedAt } from '../lookahead/item-at.ts';
import { endsValueAt } from '../lookahead/follows-at.ts';
import { isQuotedKeyAt, mayBeQuotedKeyAt, mayBeNameKeyAt, wordsBeforeKeyEnd } from '../lookahead/key-at.ts';
import { endOfText } from '../actions/closing.ts';
import { attempt, nextPart, openFrame, replace, type Fix, type Match } from './fix.ts';
import type { Machine, State } from '../machine/machine.ts';
import { codeAt, findFrom, note, startsAt, waitFor } from '../machine/operations.ts';
import { isCloser, isDigit, isNamePart, isNameStart, toNarrow, matchEnd, scalarSource } from '../text/characters.ts';
import { mayOpenString, tokenQuote } from '../text/delimiters.ts';
import * as char from '../text/char.ts';

const commaAt = ({ frame }: Machine, code: number): Match =>
  frame !== undefined && (toNarrow(code) === char.comma || toNarrow(code) === char.semicolon) && 1;

/** A comma where a key or an item is expected. `{,"a": 1,, "b": 2}` */
export const extraComma: Fix = replace('extra-comma', 'safe', '', nextPart, commaAt);

/** A semicolon or a full-width comma. `{"a": 1; "b": 2}` */
export const wrongComma: Fix = replace('wrong-comma', 'safe', ',', passComma, commaAt);

function passComma(machine: Machine, start: number): State {
  if (machine.frame !== undefined) machine.frame.comma = start;
  machine.hasSemicolons ||= machine.text.charCodeAt(start) === char.semicolon;
  return nextPart(machine);
}

/** The next member or item without a comma before it. `{"a": 1 "b": 2}` */
export const missingComma: Fix = replace('missing-comma', 'lossy', ',', nextPart, (machine, code) => {
  const { frame } = machine;
  return frame !== undefined && (frame.kind === 'array' ? isItem(machine, code) : isKey(machine, code)) && 0;
});

function isItem(machine: Machine, code: number): boolean {
  const { at, last, lastStart, text } = machine;
  if (mayOpenString(code) || code === char.openBrace || code === char.openBracket) return true;
  if (code === char.backslash) return codeAt(machine, at + 1) === char.quote;
  if (isDigit(code) || code === char.minus) return true;
  if (!isNameStart(code)) return false;
  if (isValueWordAt(machine, at)) return true;
  const before = text.slice(lastStart, at);
  // A word on the line below another unquoted one.
  if (last === 'string') return /^[A-Za-z_][\w.-]*[ \t\r]*\n\s*$/.test(before);
  // `5 km` is one text.
  return last === 'container' || !/[ \t]$/.test(before) || before.includes('\n');
}

function isKey(machine: Machine, code: number): boolean {
  if (mayOpenString(code) || code === char.backslash)
    return mayBeQuotedKeyAt(machine, machine.at) || isDamagedKeyAt(machine, machine.at);
  return (isNameStart(code) || isDigit(code)) && mayBeNameKeyAt(machine, machine.at);
}

const signs = ['=>', ':=', '->', '=='];

/** Another sign instead of the colon. `{"a" => 1}` `{"a" = 1}` `{"a"; 1}` In a call, `=` is the usual sign. */
export const wrongColon: Fix = attempt('wrong-colon', 'safe', (machine, code) => {
  const { at, text } = machine;
  const isOne = code === char.equals || toNarrow(code) === char.colon || code === char.semicolon;
  const length = signs.find((sign) => text.startsWith(sign, at))?.length ?? Number(isOne);
  if (length === 0) return undefined;
  machine.colon = text.slice(at, at + length);
  if (machine.frame?.kind !== 'call') note(machine, 'wrong-colon', 'safe', at, at + length, ':');
  machine.at += length;
  return 'beforeValue';
});

/** A second quote after a key. `{"a"": 1}` */
export const secondKeyQuote: Fix = replace('stray-quote', 'lossy', '', 'afterKey', (machine, code) => {
  const isSecond = code === char.quote && machine.text.charCodeAt(machine.at - 1) === char.quote;
  return isSecond && toNarrow(nextCode(machine, machine.at + 1)) === char.colon && 1;
});

/** A value directly after its key. `{"a" 1}` In `{"a" b="x": 1}`, an attribute of a tag follows, which is no value. */
export const missingColon: Fix = replace('missing-colon', 'safe', ':', 'beforeValue', (machine, code) => {
  const isValue = isNameStart(code) ? !isAttributeAt(machine) : beginsValue(code) || code === char.openParen;
  return machine.frame?.kind === 'object' && isValue && 0;
});

// `b=12:30` and `b=http://…` are values.
const attributesPattern =
  /(?=[^:]{1,400}:)(?:[\w.-]{1,64}=(?:"[^"\n:]{0,200}"|[\w.-]{1,64})(?:\s{1,9}|(?=:))){1,8}:(?:(?<=":)|(?=[\s"{[]))/y;
const maxAttributes = 402;

/** Returns whether attributes are at the cursor and then a colon: `b="x":`, `b=x:`. */
function isAttributeAt(machine: Machine): boolean {
  const { at, text } = machine;
  if (codeAt(machine, nameEnd(machine, at)) !== char.equals) return false;
  if (matchEnd(attributesPattern, text, at) !== -1) return true;
  waitFor(machine, at + maxAttributes);
  return false;
}

/** A colon before a key. `{:"a": 1}` `{:a => 1}` */
export const colonBeforeKey: Fix = replace('extra-colon', 'lossy', '', 'beforeKey', (machine, code) => {
  const next = codeAt(machine, machine.at + 1);
  const isBeforeKey = next === char.quote || isNameStart(next);
  return toNarrow(code) === char.colon && machine.frame?.kind === 'object' && isBeforeKey && 1;
});

/** A second colon before a value. `{"a":: 1}` */
export const extraColon: Fix = replace('extra-colon', 'safe', '', 'beforeValue', ({ at, frame, text }, code) => {
  const isColon = toNarrow(code) === char.colon && frame !== undefined && frame.kind !== 'array';
  return isColon && toNarrow(codeBefore(text, at)) === char.colon && 1;
});

function strayQuoteAt(machine: Machine, code: number): Match {
  const { at } = machine;
  const length = code === char.quote ? 1 : startsAt(machine, tokenQuote, at) ? tokenQuote.length : 0;
  return length > 0 && endsValueAt(machine, at + length, false) && length;
}

/** A quote after a value that has no quote before it. `{"a": 1", "b": 2}` `{"a": "x"<|"|>}` */
export const strayQuote: Fix = replace('stray-quote', 'lossy', '', 'afterValue', strayQuoteAt);

/** The same directly after another quote, or between a value and its comma or closer. `["x"", "y"]` `{"a": 1"}` */
export const secondQuote: Fix = replace('stray-quote', 'lossy', '', 'afterValue', (machine, code) => {
  const before = machine.text[machine.at - 1];
  const next = nextCode(machine, machine.at + 1);
  const isAlone =
    machine.last === 'string' ? before === '"' : before !== ' ' && (next === char.comma || isCloser(next));
  const match = isAlone && strayQuoteAt(machine, code);
  // `["10"", "12""]`: the first quotes may be marks of inches. `"the keys "a": 1, "b": 2", "n": 3`: all may be one string.
  const isUncertain =
    machine.last === 'string' ? isDigit(machine.text.charCodeAt(machine.at - 2)) : machine.ambiguous.length > 0;
  if (match === 1 && !machine.needsMore && isUncertain) machine.isUncertain = true;
  return match;
});

const ellipsisPattern = /(?:\.{3,}|\u2026)(?:[\w.]+|\s(?:\d+ more|and|etc)[ \w.]*)?/y;

/** Three dots that stand for further items. `[1, ...]` `[1, ...rest]` `[1, ... 97 more items]` */
export const ellipsis: Fix = replace('ellipsis', 'lossy', '', passEllipsis, (machine) => {
  const { at, frame, text } = machine;
  return frame !== undefined && isEllipsisAt(machine, at) && matchEnd(ellipsisPattern, text, at) - at;
});

function passEllipsis({ frame }: Machine): State {
  if (frame !== undefined) frame.comma = -1;
  return 'afterValue';
}

/** A word before a key, or several, which may be a text. `{"a": 1, NOTE "b": 2}` */
export const strayWord: Fix = replace('stray-word', 'lossy', '', 'beforeKey', (machine, code) => {
  const { at, frame, text } = machine;
  if (frame?.kind !== 'object' || frame.comma === -1 || !isNamePart(code)) return false;
  const end = wordsBeforeKeyEnd(machine, at);
  if (end !== -1 && !machine.needsMore && text.slice(at, end).includes(' ')) machine.isUncertain = true;
  return end !== -1 && end - at;
});

/** A closing fence or tag where a value is expected: the document is incomplete although its wrapper is closed. */
export const cutByWrapper: Fix = attempt('unclosed', 'truncated', (machine) =>
  isWrapperEnd(machine, machine.at) ? endOfText(machine, 'cut') : undefined,
);

/** A full-width brace or bracket. `｛"a": ［1］｝` */
export const fullWidthOpener: Fix = attempt('full-width', 'safe', (machine, code) => {
  const { at } = machine;
  const opener = toNarrow(code);
  if (opener === code || (opener !== char.openBrace && opener !== char.openBracket)) return undefined;
  note(machine, 'full-width', 'safe', at, at + 1, String.fromCharCode(opener));
  return openFrame(machine, opener === char.openBrace ? 'object' : 'array', at);
});

/** A second brace around an object, as in the template of a prompt. `{"a": {{"b": 1}}}` */
export const doubledBrace: Fix = replace('doubled-braces', 'lossy', '', openDoubled, (machine, code) => {
  const { at, frame, text } = machine;
  const isSecond = code === char.openBrace && frame?.kind === 'object' && frame.start === at - 1;
  if (!isSecond) return false;
  // Many objects without doubled closers would take long: their brackets never balance.
  const closer = findFrom(machine, '}', at);
  if (closer === -1 || !text.startsWith('}}', closer)) return false;
  const key = afterWhitespace(text, at + 1);
  return (startsAt(machine, '}}', key) || isQuotedKeyAt(machine, key) || isPlainKeyAt(machine, key)) && 1;
});

function openDoubled({ frame }: Machine): State {
  if (frame !== undefined) frame.isDoubled = true;
  return 'beforeKey';
}

/** A list in parentheses, as Python writes tuples. `{"a": (1, 2)}` `(True, None)` */
export const tuple: Fix = replace('tuple', 'safe', '[', openTuple, (machine, code) => {
  const begins = machine.frame === undefined ? beginsPlainTuple : beginsTuple;
  return code === char.openParen && begins(machine) && 1;
});

function openTuple(machine: Machine, start: number): State | undefined {
  return openFrame(machine, 'array', start, char.closeParen);
}

/** Outside of any container, only a list that begins with two plain values is no prose. */
const beginsPlainTuple = ({ at, text }: Machine): boolean => matchEnd(plainTuplePattern, text, at) !== -1;

const plainTuplePattern = new RegExp(
  String.raw`\(\s{0,99}(?:(?:${scalarSource}|'[^'\n]{0,200}')\s{0,99}(?:,\s{0,99}(?=["'\d-]|[tfnTFN]\w)|,?\s{0,99}\)\s*$)){2}`,
  'y',
);

/** Returns whether an item or the closer follows the parenthesis. `(?:a|b)` and `(x) => x` are not lists. */
function beginsTuple(machine: Machine): boolean {
  const at = nextToken(machine, machine.at + 1);
  const code = codeAt(machine, at);
  if (code === char.end || code === char.closeParen || code === char.openParen || mayOpenString(code)) return true;
  if (isValueAt(machine, at)) return true;
  if (!isNameStart(code)) return false;
  // `(main, "next"`: an unquoted word, followed by another item.
  const comma = nextToken(machine, nameEnd(machine, at));
  const isBeforeItem = codeAt(machine, comma) === char.comma && isValueAt(machine, nextToken(machine, comma + 1));
  return isBeforeItem || isLateQuotedAt(machine, at);
}
