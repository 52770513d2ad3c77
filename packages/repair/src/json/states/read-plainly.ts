import {
  APOSTROPHE,
  CLOSE_PAREN,
  COMMA,
  HASH,
  MINUS,
  NINE,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  isDigit,
} from '../text/characters.ts';
import { closeForKey } from '../machine/declared-parent.ts';
import { singleQuote } from '../text/delimiters.ts';
import { unquotedKey } from '../fixes/keys/unquoted-key.ts';
import { followAt } from '../lookahead/follow.ts';
import { SURE } from '../lookahead/key-at.ts';
import { keyBetween } from '../machine/known-keys.ts';
import { deliver, note, type Frame, type Machine, type State } from '../machine/machine.ts';
import { afterWhitespace, plainEnd, plainKeyEnd, plainNumberEnd, plainWordAt } from '../text/plain-text.ts';
import { deliverNumber } from '../actions/numbers.ts';
import { deliverPlainWord } from '../actions/words.ts';

// Short cuts through what is written in one of the usual ways, in a text that is all there. They come to exactly what the
// states and fixes would come to, and leave to those whatever is unusual.

/**
 * Reads a key at the cursor that has its colon right after it, its value, and as many members after it as are like it.
 * `beforeKey` where there is no such key.
 */
export function readPlainMembers(machine: Machine, frame: Frame): State | undefined {
  const { text } = machine;
  let end = plainKeyEnd(text, machine.at);
  if (end === -1) return 'beforeKey';
  for (;;) {
    takeKey(machine, end);
    machine.at = afterWhitespace(text, end + 1);
    if (machine.frame !== frame) return 'beforeValue';
    const code = text.charCodeAt(machine.at);
    if (code === QUOTE || code === APOSTROPHE) {
      const close = plainEnd(text, machine.at + 1, code);
      const next = text.charCodeAt(close + 1) === COMMA ? afterWhitespace(text, close + 2) : -1;
      end = next === -1 || text.charCodeAt(close) !== code ? -1 : plainKeyEnd(text, next);
      if (end === -1) return readLastString(machine, close, code);
      takeString(machine, close, code);
      frame.comma = close + 1;
      machine.at = next;
    } else {
      const after = readPlainScalar(machine, code);
      if (after !== 'afterValue' || text.charCodeAt(machine.at) !== COMMA) return after;
      frame.comma = machine.at;
      machine.at = afterWhitespace(text, machine.at + 1);
      end = plainKeyEnd(text, machine.at);
      if (end === -1) return 'beforeKey';
    }
    if (machine.failure !== undefined) return undefined;
  }
}

/** Reads strings, numbers and words at the cursor in a list; `beforeValue` where there is something else. */
export function readPlainItems(machine: Machine, frame: Frame): State | undefined {
  const { text } = machine;
  for (;;) {
    const code = text.charCodeAt(machine.at);
    if (code === QUOTE || code === APOSTROPHE) {
      const close = plainEnd(text, machine.at + 1, code);
      const next = text.charCodeAt(close + 1) === COMMA ? afterWhitespace(text, close + 2) : -1;
      if (next === -1 || text.charCodeAt(close) !== code || !beginsItem(text.charCodeAt(next)))
        return readLastString(machine, close, code);
      takeString(machine, close, code);
      frame.comma = close + 1;
      machine.at = next;
    } else {
      const after = readPlainScalar(machine, code);
      if (after !== 'afterValue' || text.charCodeAt(machine.at) !== COMMA) return after;
      frame.comma = machine.at;
      machine.at = afterWhitespace(text, machine.at + 1);
    }
  }
}

/** Whether a character begins an item so that what stands before the comma before it has surely ended. */
function beginsItem(code: number): boolean {
  const isString = code === QUOTE || code === APOSTROPHE;
  return isString || code === OPEN_BRACE || code === OPEN_BRACKET || code === MINUS || isDigit(code);
}

/** A number or one of JSON's words; `beforeValue` when it is neither, or not in the usual way. */
function readPlainScalar(machine: Machine, code: number): State | undefined {
  const { at, text } = machine;
  const word = code > NINE ? plainWordAt(text, at) : undefined;
  if (word !== undefined) return deliverPlainWord(machine, word);
  const end = plainNumberEnd(text, at);
  return end === -1 ? 'beforeValue' : deliverNumber(machine, at, end);
}

/** A string at the cursor with plain content before `close`, if it surely ends there; otherwise `beforeValue`. */
function readLastString(machine: Machine, close: number, quote: number): State | undefined {
  const { at, text } = machine;
  // Two quotes may be the beginning of one made of several, and `#` is more likely text than a comment.
  if (text.charCodeAt(close) !== quote || text.charCodeAt(close + 1) === HASH || close === at + 1) return 'beforeValue';
  // A parenthesis may be closed that the text has opened.
  if (text.charCodeAt(close + 1) === CLOSE_PAREN && text.slice(at, close).includes('(')) return 'beforeValue';
  if (followAt(machine, close + 1, machine.frames.length - 1, false) !== SURE) return 'beforeValue';
  takeString(machine, close, quote);
  return machine.failure === undefined ? 'afterValue' : undefined;
}

function takeString(machine: Machine, close: number, quote: number): void {
  const { at, text } = machine;
  machine.at = close + 1;
  if (quote === APOSTROPHE) note(machine, singleQuote.code ?? '', 'safe', at, close + 1, '"');
  deliver(machine, text.slice(at + 1, close), at);
  machine.last = 'string';
  machine.lastStart = at;
}

function takeKey(machine: Machine, end: number): void {
  const { at, text } = machine;
  const isQuoted = text.charCodeAt(at) === QUOTE;
  const key = isQuoted ? keyBetween(machine, at + 1, end - 1) : keyBetween(machine, at, end);
  if (!isQuoted) note(machine, unquotedKey.code, unquotedKey.risk, at, end, `"${key.slice(0, 58)}"`);
  if (machine.shape !== undefined) closeForKey(machine, key, at);
  const { frame } = machine;
  if (frame === undefined) return;
  frame.key = key;
  frame.comma = -1;
  if (!isQuoted) frame.hasBareKeys = true;
}
