import { unlikely } from '../lookahead/likelihood.ts';
import { isQuotedKeyAt } from '../lookahead/key-at.ts';
import { closeFrame, endOfText } from '../actions/closing.ts';
import { deliverNumber, deliverWord, endsNumber, isTextDue } from '../actions/scalars.ts';
import { colonFixes, keyFixes, quotedFixes, separatorFixes, valueFixes } from '../fixes/fix-table.ts';
import { memberAsValue } from '../fixes/lost-opener.ts';
import { skipToToken } from '../lookahead/next-token.ts';
import { isValueWordAt } from '../lookahead/damaged-key.ts';
import { isBracketOfText } from '../lookahead/declared-text.ts';
import { endsValueAt, followAt, opensNextAt } from '../lookahead/follows-at.ts';
import { isWrapperEnd } from '../lookahead/item-at.ts';
import { applyFirst, nextPart, openFrame } from '../fixes/fix.ts';
import type { Machine, State, StringToken } from '../machine/machine.ts';
import { codeAt, deliver, fail, findFrom, note, open, refuse } from '../machine/operations.ts';
import { markLastAmbiguous, markAmbiguous } from '../machine/closers.ts';
import { isJsonObject } from '../result/json-value.ts';
import { beginString } from '../machine/string-token.ts';
import { isDigit, isNameStart, toNarrow, matchEnd, numberSource } from '../text/characters.ts';
import { doubleQuote, followsEmptyString } from '../text/delimiters.ts';
import { afterWhitespace, plainNumberEnd, plainWordAt } from '../text/plain-text.ts';
import { takeFastPath } from './fast-path.ts';
import { readString } from './read-string.ts';
import * as char from '../text/char.ts';

/** The state before a key or the closing brace. `{|"a": 1}` */
function beforeKey(machine: Machine): State | undefined {
  const code = skipToToken(machine);
  if (machine.needsMore) return undefined;
  const { at, frame } = machine;
  // After a string with inner quotes, text that looks like a first key may belong to that string.
  if (machine.ambiguous.length > 0 && isNameStart(code) && frame?.hasBareKeys === false) markLastAmbiguous(machine);
  if (machine.mayUseFastPath && frame?.kind === 'object') {
    const next = takeFastPath(machine, 'beforeKey');
    if (machine.at !== at || next !== 'beforeKey') return next;
  }
  // `f("text")`: in a call, a string is a key only before its sign.
  if (code === char.quote && (frame?.kind !== 'call' || isQuotedKeyAt(machine, at))) return openQuote(machine, 'key');
  if (code === frame?.closer) return closeFrame(machine);
  if (code === char.end) return endOfText(machine, 'cut');
  return applyFirst(keyFixes, machine, code) ?? fail(machine, 'a key in double quotes, or the closing brace');
}

/** The state before a value. `{"a": |1}` `[|1]` */
function beforeValue(machine: Machine): State | undefined {
  const code = skipToToken(machine);
  if (machine.needsMore) return undefined;
  const { at, frame } = machine;
  if ((code === char.openBracket || code === char.openBrace) && isBracketOfText(machine, code))
    return applyFirst(valueFixes, machine, code) ?? fail(machine, 'a value');
  if (code === char.openBrace) return openFrame(machine, 'object', at);
  if (machine.mayUseFastPath && frame?.kind === 'array') {
    const next = takeFastPath(machine, 'beforeValue');
    if (machine.at !== at || next !== 'beforeValue') return next;
  }
  if (code === char.quote) return memberAsValue(machine) ?? openQuote(machine, 'value');
  if (code === char.openBracket) return openFrame(machine, 'array', at);
  if (isDigit(code) || code === char.minus) return readNumber(machine);
  if (code === frame?.closer && frame.kind === 'array') return closeFrame(machine);
  if (code === char.end) return endOfText(machine, 'cut');
  const word = plainWordAt(machine.text, at);
  if (word !== undefined) return deliverWord(machine, word);
  return applyFirst(valueFixes, machine, code) ?? fail(machine, 'a value');
}

/** Begins the string whose double quote is at the cursor. Two quotes may be an empty string, or one delimiter. */
function openQuote(machine: Machine, role: StringToken['role']): State | undefined {
  if (machine.needsMore) return undefined;
  const { at } = machine;
  if (codeAt(machine, at + 1) === char.quote && !followsEmptyString(codeAt(machine, at + 2))) {
    const next = applyFirst(quotedFixes, machine, char.quote);
    if (next !== undefined) return next;
    if (!machine.needsMore && isStrayOpener(machine, role)) {
      note(machine, 'stray-quote', 'lossy', at, at + 1, '');
      machine.at += 1;
    }
  }
  if (machine.needsMore) return undefined;
  return beginString(machine, role, doubleQuote);
}

/** `""a": 1`, `""x", `: returns whether the second of two quotes opens an ordinary string. */
function isStrayOpener(machine: Machine, role: StringToken['role']): boolean {
  const { at, text } = machine;
  if (role === 'key') return isQuotedKeyAt(machine, at + 1);
  let close = findFrom(machine, '"', at + 2);
  let escaped = 0;
  for (; text.charCodeAt(close - 1) === char.backslash; escaped += 1) close = findFrom(machine, '"', close + 1);
  // `""red\", `: the second quote opens what the escaped quote closes.
  if (escaped % 2 === 1) return false;
  // `""use strict";⏎`: a semicolon that separates members precedes a key.
  const isStatement =
    text.charCodeAt(close + 1) === char.semicolon && !isQuotedKeyAt(machine, afterWhitespace(text, close + 2));
  return close !== -1 && !isStatement && endsValueAt(machine, close + 1, true);
}

/** The state before the colon. `{"a"|: 1}` */
function afterKey(machine: Machine): State | undefined {
  const code = skipToToken(machine);
  if (machine.needsMore) return undefined;
  if (machine.frame !== undefined) machine.frame.comma = -1;
  if (code === char.colon && codeAt(machine, machine.at + 1) !== char.equals) {
    if (machine.needsMore) return undefined;
    machine.at += 1;
    return 'beforeValue';
  }
  if (code === char.end) return endOfText(machine, 'cut');
  return applyFirst(colonFixes, machine, code) ?? fail(machine, 'a colon after the key');
}

/** The state before a comma or a closer. `{"a": 1|}` */
function afterValue(machine: Machine): State | undefined {
  const { frame } = machine;
  if (frame === undefined) {
    machine.rootEnd = machine.at;
    machine.hasAmbiguousEnd ||= machine.isUncertain;
    return undefined;
  }
  const code = skipToToken(machine);
  if (machine.needsMore) return undefined;
  if (code === char.comma) {
    frame.comma = machine.at;
    machine.at += 1;
    return nextPart(machine);
  }
  if (code === frame.closer) return closeFrame(machine);
  if (code === char.end || isWrapperEnd(machine, machine.at)) return endOfText(machine, 'open');
  if (machine.last === 'string' && code !== char.colon) markEndAmbiguous(machine, code);
  return applyFirst(separatorFixes, machine, code) ?? fail(machine, 'a comma or a closing brace');
}

/** Handles a string without a comma or a closer after it. A string with inner quotes may continue here. */
function markEndAmbiguous(machine: Machine, code: number): void {
  const isComma = toNarrow(code) === char.comma || (code === char.semicolon && machine.hasSemicolons);
  if (isComma) return;
  if (isNameStart(code) && machine.frame?.hasBareKeys === false && !isValueWordAt(machine, machine.at))
    markAmbiguous(machine, machine.lastStart, true);
  else markLastAmbiguous(machine);
}

const jsonNumberPattern = new RegExp(numberSource, 'y');
const numberCharactersPattern = /[0-9+\-.eE]*/y;

/** Reads the number at the cursor. `[|-1.5e3]` */
function readNumber(machine: Machine): State | undefined {
  const { text, at } = machine;
  const plain = plainNumberEnd(text, at);
  if (plain !== -1) return deliverNumber(machine, at, plain);
  const end = matchEnd(numberCharactersPattern, text, at);
  const next = codeAt(machine, end);
  if (machine.needsMore) return undefined;
  const longest = matchEnd(jsonNumberPattern, text, at);
  if (next === char.end && machine.frames.length > 0 && !(machine.isClosed && longest === end))
    return cutNumber(machine, at, longest);
  // `2024/01/02`: a slash that does not begin a comment does not end a number.
  const isSlashed =
    next === char.slash && codeAt(machine, end + 1) !== char.slash && codeAt(machine, end + 1) !== char.asterisk;
  const ends = endsNumber(next) || opensNextAt(machine, end) || isQuotedLate(machine, end);
  if (machine.needsMore) return undefined;
  if (longest === end && !isSlashed && ends) return deliverNumber(machine, at, end);
  return applyFirst(valueFixes, machine, text.charCodeAt(at)) ?? fail(machine, 'a number');
}

/**
 * `{"limit": 20"}`: returns whether a quote that closes nothing follows a number. Among strings, or where a string is
 * declared, the opening quote is missing instead.
 */
function isQuotedLate(machine: Machine, end: number): boolean {
  const { frame, frames } = machine;
  // The item before, or the same member of the row before.
  const row = frames.at(-2)?.items.at(-2);
  const before = frame?.kind === 'array' ? frame.items.at(-1) : isJsonObject(row) ? row[frame?.key ?? ''] : undefined;
  if (typeof before === 'string' || isTextDue(machine, 'number') || codeAt(machine, end) !== char.quote) return false;
  return followAt(machine, end + 1, frames.length - 1, true) !== unlikely;
}

/** A number at the end of the text may be incomplete. It is kept and counts as cut. */
function cutNumber(machine: Machine, at: number, longest: number): undefined {
  const value = Number(machine.text.slice(at, longest));
  if (longest !== -1) deliver(machine, Number.isFinite(value) ? value : null, at);
  return endOfText(machine, 'cut', 'cut-number', at);
}

/** The state for an object without its opening brace. */
function members(machine: Machine): State | undefined {
  if (!open(machine, 'object', machine.at)) return undefined;
  note(machine, 'missing-opener', 'safe', machine.at, machine.at, '{');
  return 'beforeKey';
}

/** The state for the arguments of a call, after its opening parenthesis. */
function callArguments(machine: Machine): State | undefined {
  return open(machine, 'call', machine.at) ? 'beforeKey' : undefined;
}

/**
 * Runs one step of reading. It reads the character at `machine.at`, and either advances and names the next state, or
 * returns undefined: the value is complete, reading failed, or more text is needed. A switch, because looking up
 * functions in a table takes several per cent longer.
 */
function take(machine: Machine): State | undefined {
  switch (machine.state) {
    case 'afterValue':
      return afterValue(machine);
    case 'beforeKey':
      return beforeKey(machine);
    case 'readString':
      return readString(machine);
    case 'afterKey':
      return afterKey(machine);
    case 'beforeValue':
      return beforeValue(machine);
    case 'members':
      return members(machine);
    default:
      return callArguments(machine);
  }
}

/**
 * Runs steps until the value is complete, reading fails or more text is needed. `after` runs after each step. A text
 * takes about one step a character at most. If it takes many more, a bug makes reading go in circles, and it fails instead
 * of running for ever.
 */
export function advance(machine: Machine, after?: () => void): void {
  for (let left = 4 * (machine.text.length - machine.at) + 100; ; left -= 1) {
    if (left === 0) {
      const message = 'The reader made no progress, which is a bug in Haft,';
      return refuse(machine, 'INVALID_JSON', message, 'plain JSON', machine.at);
    }
    machine.needsMore = false;
    const next = take(machine);
    if (next !== undefined) machine.state = next;
    after?.();
    if (next === undefined) return;
  }
}
