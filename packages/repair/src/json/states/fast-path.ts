import { isIn, isNamePart, isNameStart } from '../text/characters.ts';
import { beginMember, keyBetween } from '../actions/members.ts';
import { close, codeAt, finishValue, note, open } from '../machine/operations.ts';
import { singleQuote } from '../text/delimiters.ts';
import { beginsValue } from '../lookahead/item-at.ts';
import { endsValueAt } from '../lookahead/follows-at.ts';
import type { Frame, Machine, State } from '../machine/machine.ts';
import { afterWhitespace, isPlaceholder, plainNumberEnd, plainWordAt } from '../text/plain-text.ts';
import { deliverNumber, deliverWord } from '../actions/scalars.ts';
import * as char from '../text/char.ts';

/**
 * Reads from a key or a value on as long as the text is JSON, or JSON in the notation of programs: unquoted keys,
 * single quotes, words of Python, and trailing commas. Has the same result as the single steps, in one loop. Returns
 * the next state at the first other text. Needs a complete text.
 */
export function takeFastPath(machine: Machine, state: 'beforeKey' | 'beforeValue'): State | undefined {
  const { shape, text } = machine;
  let { at } = machine;
  for (let isKeyDue = state === 'beforeKey'; ;) {
    if (isKeyDue) {
      const end = keyEndAt(machine, at);
      machine.at = at;
      if (end === -1) return 'beforeKey';
      takeKey(machine, end);
      at = afterWhitespace(text, end + 1);
    }
    machine.at = at;
    const { frame } = machine;
    if (frame === undefined) return 'beforeValue';
    const code = text.charCodeAt(at);
    if (code === char.quote || code === char.apostrophe) {
      const end = text.indexOf(code === char.quote ? '"' : "'", at + 1);
      if (end === -1 || end > oddFrom(machine, at + 1)) return 'beforeValue';
      const next = nextAt(machine, frame, end + 1);
      if (next === -1 && !surelyEnds(machine, at, end)) return 'beforeValue';
      if (code === char.apostrophe) note(machine, singleQuote.code ?? '', 'safe', at, end + 1, '"');
      if (finishValue(machine, text.slice(at + 1, end), 'string', at, end + 1) === undefined) return undefined;
      if (next !== -1) {
        frame.comma = end + 1;
        isKeyDue = frame.kind !== 'array';
        at = next;
        continue;
      }
    } else if (code === char.openBrace || code === char.openBracket) {
      // A schema may declare that a bracket is text, and `[^` never opens a list.
      if (shape !== undefined || text.charCodeAt(at + 1) === char.caret || isPlaceholder(text, at))
        return 'beforeValue';
      isKeyDue = code === char.openBrace;
      if (!open(machine, isKeyDue ? 'object' : 'array', at, code + 2)) return undefined;
      at = afterWhitespace(text, at + 1);
      if (text.charCodeAt(at) !== code + 2) continue;
      machine.at = at;
    } else {
      const step = readPlainScalar(machine);
      if (step !== 'afterValue') return step;
    }
    const isNextDue = passSeparators(machine);
    if (isNextDue === undefined) return 'afterValue';
    isKeyDue = isNextDue;
    at = machine.at;
  }
}

/**
 * Skips certain closers up to a comma and the token after it. Returns whether that token is a key, or undefined if the
 * next state has to decide.
 */
function passSeparators(machine: Machine): boolean | undefined {
  const { text } = machine;
  let { at } = machine;
  for (;;) {
    const { frame } = machine;
    if (frame === undefined) return undefined;
    at = afterWhitespace(text, at);
    machine.at = at;
    let code = text.charCodeAt(at);
    let comma = -1;
    if (code === char.comma) {
      comma = at;
      at = afterWhitespace(text, at + 1);
      code = text.charCodeAt(at);
      if (code !== frame.closer) {
        frame.comma = comma;
        machine.at = at;
        return frame.kind !== 'array';
      }
    }
    if (code !== frame.closer || !surelyCloses(machine, frame, at)) return undefined;
    if (comma !== -1) note(machine, 'trailing-comma', 'safe', comma, comma + 1, '');
    at += 1;
    machine.at = at;
    close(machine, at);
  }
}

/**
 * Returns whether neither the layout nor the following text shows that a closer of an inner container is superfluous.
 */
function surelyCloses(machine: Machine, { kind, closer, start, isDoubled }: Frame, at: number): boolean {
  const { frames, text } = machine;
  if (frames.length === 1 || closer === char.closeParen || isDoubled) return false;
  const before = text.charCodeAt(at - 1);
  const isAfterCloser = before === char.closeBrace || before === char.closeBracket;
  if (isAfterCloser && text.charCodeAt(start + 1) === char.lineFeed && text.charCodeAt(at + 1) === char.comma)
    return false;
  const isList = kind === 'array';
  if (frames[frames.length - 2]?.kind !== (isList ? 'object' : 'array') || !(isList || isAfterCloser)) return true;
  const next = afterWhitespace(text, at + 1);
  const code = codeAt(machine, next);
  if (code !== char.comma) return !isList || code === char.closeBrace;
  const member = afterWhitespace(text, next + 1);
  if (!isList) return keyEndAt(machine, member) === -1;
  return codeAt(machine, member) === char.closeBrace || keyEndAt(machine, member) !== -1;
}

/** Reads an ordinary number or word. */
function readPlainScalar(machine: Machine): State | undefined {
  const { at, text } = machine;
  const end = plainNumberEnd(text, at);
  if (end !== -1) return deliverNumber(machine, at, end);
  const word = plainWordAt(text, at);
  return word === undefined ? 'beforeValue' : deliverWord(machine, word);
}

/** Returns the offset of the next key or item if only a comma precedes it, or -1. */
function nextAt(machine: Machine, { kind }: Frame, at: number): number {
  const { text } = machine;
  if (text.charCodeAt(at) !== char.comma) return -1;
  const next = afterWhitespace(text, at + 1);
  const isNext = kind === 'array' ? beginsValue(text.charCodeAt(next)) : keyEndAt(machine, next) !== -1;
  return isNext ? next : -1;
}

/** Returns whether a string without escapes certainly ends at its first quote of the same kind. */
function surelyEnds(machine: Machine, at: number, end: number): boolean {
  if (isBeforeNext(machine, end + 1)) return true;
  // Two quotes may begin a delimiter of several quotes, a first quote may be part of the text, `#` is more likely text
  // than a comment, and the text may have opened a parenthesis.
  const after = machine.text.charCodeAt(end + 1);
  if (end === at + 1 || isIn('"#)', after)) return false;
  return endsValueAt(machine, end + 1, false);
}

/** Returns whether closers and a comma, and then a key or an item follow: the usual case of the follow rule. */
function isBeforeNext(machine: Machine, from: number): boolean {
  const { frames, text } = machine;
  let hasComma = false;
  for (let depth = frames.length - 1, at = from; depth >= 0; at += 1) {
    at = afterWhitespace(text, at);
    const { closer, kind } = frames[depth] as Frame;
    const code = text.charCodeAt(at);
    if (code === closer) {
      depth -= 1;
      hasComma = false;
    } else if (code === char.comma && !hasComma) hasComma = true;
    else return hasComma && (kind === 'array' ? beginsValue(code) : kind === 'object' && keyEndAt(machine, at) !== -1);
  }
  return false;
}

// eslint-disable-next-line no-control-regex
const oddPattern = /[\\\u0000-\u001f]/g;

/**
 * Returns the offset of the next backslash or control character. It is remembered, because a document has few of them,
 * and then a native search for the closing quote finds the end of a string faster than reading the string.
 */
function oddFrom(machine: Machine, from: number): number {
  if (from < machine.oddSearched || from > machine.oddAt) {
    oddPattern.lastIndex = from;
    machine.oddAt = oddPattern.test(machine.text) ? oddPattern.lastIndex - 1 : machine.text.length;
    machine.oddSearched = from;
  }
  return machine.oddAt;
}

/**
 * Returns the end of the key with or without double quotes at an offset, if its colon follows directly. Otherwise
 * returns -1. The lookahead before a key has usually found it already.
 */
function keyEndAt(machine: Machine, at: number): number {
  if (machine.keyAt === at) return machine.keyEnd;
  const { text } = machine;
  let end = at + 1;
  if (text.charCodeAt(at) === char.quote) {
    end = text.indexOf('"', end) + 1;
    if (end > oddFrom(machine, at + 1)) end = 0;
  } else if (isNameStart(text.charCodeAt(at))) {
    while (end - at < maxName && isNamePart(text.charCodeAt(end))) end += 1;
    // `build:all": 1`
    if (isNameStart(text.charCodeAt(end + 1))) end = 0;
  } else end = 0;
  const isKey = end > 0 && text.charCodeAt(end) === char.colon && text.charCodeAt(end + 1) !== char.equals;
  machine.keyAt = at;
  return (machine.keyEnd = isKey ? end : -1);
}

const maxName = 64;

function takeKey(machine: Machine, end: number): void {
  const { at, text } = machine;
  const isQuoted = text.charCodeAt(at) === char.quote;
  const key = isQuoted ? keyBetween(machine, at + 1, end - 1) : keyBetween(machine, at, end);
  if (!isQuoted) note(machine, 'unquoted-key', 'safe', at, end, `"${key.slice(0, 58)}"`);
  beginMember(machine, key, at, !isQuoted);
}
