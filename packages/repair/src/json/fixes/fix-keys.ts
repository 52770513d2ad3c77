import * as char from '../text/char.ts';
import { endOfText } from '../actions/closing.ts';
import { nextToken, nextCode } from '../lookahead/next-token.ts';
import { isHalfQuotedKeyAt, isValueAt, isPlainKeyAt } from '../lookahead/damaged-key.ts';
import { isHalfQuotedBeforeValue, keyNameEnd, mayBeQuotedKeyAt } from '../lookahead/key-at.ts';
import { beginMember, isColumnOf, keyBetween } from '../actions/members.ts';
import { close, codeAt, findFrom, finishValue, note, open, takeLast, waitForEnd } from '../machine/operations.ts';
import { namePartsEnd } from '../lookahead/name-end.ts';
import { attempt, type Fix } from './fix.ts';
import { closersAhead, markAmbiguous, markLastAmbiguous, markUncertainList } from '../machine/closers.ts';
import { isJsonObject } from '../result/json-value.ts';
import type { Frame, Machine } from '../machine/machine.ts';
import { deliverMissing } from './fix-values.ts';
import { isDigit, isNameStart, toNarrow, isIn, fromHex, isSign, isWhitespace } from '../text/characters.ts';
import { mayOpenString, otherDelimiterAt } from '../text/delimiters.ts';

/** A value without a key inside the parentheses of a call. `f(|1, b=2)` */
export const positionalArgument: Fix = attempt('positional-argument', 'safe', (machine, code) => {
  const { at, frame } = machine;
  if (frame?.kind !== 'call') return undefined;
  if (isNameStart(code) && isSign(toNarrow(nextCode(machine, namePartsEnd(machine, at))))) return undefined;
  if (machine.needsMore) return undefined;
  frame.key = undefined;
  if (code === char.asterisk && codeAt(machine, at + 1) === char.asterisk) machine.at += 2;
  // `f(limit=10,000)`: no language allows it after an argument with a name.
  else if (!hasNoMember(frame)) note(machine, 'late-argument', 'lossy', at, at, '');
  return 'beforeValue';
});

/** A key without quotes, or with the opening one missing. `{path: 1}` `{path": 1}` */
export const unquotedKey: Fix = attempt('unquoted-key', 'safe', (machine, code) => {
  const { at, text } = machine;
  const isName = isNameStart(code) || isDigit(code);
  const odd = oddKeyEnd(machine, at);
  // `two words<|token|>a": ` is no key.
  const end = isName && (odd === -1 || /[<=>]/.test(text.slice(at, odd))) ? keyNameEnd(machine, at) : odd;
  if (end === -1) return undefined;
  const quote = Number(isIn(`"'`, codeAt(machine, end)));
  const next = toNarrow(nextCode(machine, end + quote));
  if (machine.needsMore) return undefined;
  if (next === char.end) return endOfText(machine, 'cut');
  if (!isSign(next) && !isWithoutColon(machine, end, quote)) return undefined;
  const key = decodeName(keyBetween(machine, at, end));
  const name = quote > 0 ? 'missing-open-quote' : 'unquoted-key';
  const risk = (quote > 0 && !isSign(next)) || key.includes(' ') ? 'lossy' : 'safe';
  note(machine, name, risk, at, end + quote, `"${key.slice(0, 58)}"`);
  machine.at = end + quote;
  return beginMember(machine, key, at, true);
});

function decodeName(name: string): string {
  return name.replaceAll(/\\u(.{4})/g, (_whole, digits: string) => fromHex(digits));
}

/** `copies 264` among unquoted keys, or `copies" "one"`. */
function isWithoutColon(machine: Machine, end: number, quote: number): boolean {
  const { at, frame, frames } = machine;
  if (quote > 0) return isHalfQuotedBeforeValue(machine, at);
  const next = nextToken(machine, end);
  const mayBe = frame?.hasBareKeys === true || (frames.length === 1 && hasNoMember(frame));
  return mayBe && next > end && isValueAt(machine, next);
}

const maxLength = 64;

/** Returns the end of a key that has only its closing quote, with any characters: `**\/dist": `. Otherwise -1. */
function oddKeyEnd(machine: Machine, at: number): number {
  if (otherDelimiterAt(machine.text, at) !== undefined) return -1;
  for (let end = at; end < at + maxLength; end += 1) {
    const code = codeAt(machine, end);
    if (code === char.quote) return toNarrow(nextCode(machine, end + 1)) === char.colon ? end : -1;
    const isInside =
      code === char.colon && !isWhitespace(codeAt(machine, end + 1)) && codeAt(machine, end + 1) !== char.quote;
    if (isPunctuation(code) && !isInside) return -1;
  }
  return -1;
}

/** Returns whether a character separates, opens or closes something, or can't be in a key. */
const isPunctuation = (code: number): boolean => code < 0x20 || isIn(',:;{}[]()"\'`\\', toNarrow(code));

/** Closes the unclosed lists around the cursor. */
function closeLists(machine: Machine, at: number): void {
  while (machine.frame?.kind === 'array') {
    markUncertainList(machine, machine.frame);
    close(machine, at);
  }
  note(machine, 'missing-list-closer', 'lossy', at, at, ']');
}

/** A key without its opening quote in a list that was not closed. `{a: [1, b: 2}` `{"a": [1, b": 2}` */
export const bareKeyInList: Fix = attempt('missing-list-closer', 'lossy', (machine) => {
  const { at, frame, frames } = machine;
  if (frame?.kind !== 'array' || frame.comma === -1) return undefined;
  let level = frames.length - 2;
  while (frames[level]?.kind === 'array') level -= 1;
  const object = frames[level];
  if (object?.kind !== 'object') return undefined;
  const isKey = (object.hasBareKeys && isPlainKeyAt(machine, at)) || isHalfQuotedKeyAt(machine, at);
  if (!isKey || machine.needsMore) return undefined;
  closeLists(machine, at);
  return 'beforeKey';
});

/**
 * A colon or a similar sign after an item of a list: the item is a key. The object around it was not opened, or has one or
 * both brackets of a list, or the list was not closed.
 */
export const keyInList: Fix = attempt('missing-list-closer', 'lossy', (machine, code) => {
  const { frame } = machine;
  const key = isSign(toNarrow(code)) ? frame?.items.at(-1) : undefined;
  if (frame === undefined || typeof key !== 'string') return undefined;
  const isOuter =
    machine.followsLayout && machine.frames.some((outer) => isColumnOf(machine, outer, machine.lastStart));
  const isRow = !isOuter && (openRow(machine, frame, key) || turnIntoObject(machine, frame));
  if (!isRow && !closeBeforeKey(machine, frame)) return undefined;
  if (machine.frame !== undefined) machine.frame.key = key;
  return 'afterKey';
});

/**
 * Opens a row of a list that lacks its brace: the row before has the same key, or the rest of the text closes one more
 * container than is open. `[{"a": 1}, "a": 2}]` `["a": 1}, {"a": 2}]`
 */
function openRow(machine: Machine, { items }: Frame, key: string): boolean {
  const { at, frames, lastStart } = machine;
  const row = items.at(-2);
  const isNext = isJsonObject(row) && Object.hasOwn(row, key);
  if (!isNext && closersAhead(machine, at) !== frames.length + 1) return false;
  items.pop();
  // In `"x["y"]", "b": 1`, the bracket may be text and not the end of a list. In `{…}}, "b": 1}`, both braces may be wrong.
  const before = machine.repairs.at(-1)?.code ?? '';
  if (!isNext && ['stray-quote', 'extra-closer'].includes(before)) machine.isUncertain = true;
  note(machine, 'missing-opener', 'lossy', lastStart, lastStart, '{');
  open(machine, 'object', lastStart);
  return true;
}

/** Turns a list whose first item is a key into an object. `["size": "L"]` `['a' => 1]` `["a": 1}` */
function turnIntoObject(machine: Machine, { items }: Frame): boolean {
  const { at } = machine;
  if (items.length !== 1) return false;
  const closer = findFrom(machine, ']', at);
  const other = findFrom(machine, '}', at);
  const isClosed = closer !== -1 && (other === -1 || closer < other);
  if (!isClosed) waitForEnd(machine);
  if (machine.needsMore || !(isClosed || closersAhead(machine, at) === machine.frames.length)) return false;
  items.pop();
  reopen(machine, 'object', isClosed ? char.closeBracket : char.closeBrace);
  return true;
}

/** Closes the lists before a key of the object around them. `{"a": [1, "b": 2}` */
function closeBeforeKey(machine: Machine, { items }: Frame): boolean {
  const { frames, lastStart, needsMore } = machine;
  if (needsMore || !frames.some(({ kind }) => kind === 'object')) return false;
  // A key with inner quotes probably includes the text before it.
  markLastAmbiguous(machine);
  items.pop();
  closeLists(machine, lastStart);
  return true;
}

/** Turns the innermost object into a list, or a list into an object. Without `closer`, the closer stays the same. */
function reopen(machine: Machine, kind: 'object' | 'array', closer?: number): void {
  const { start = 0, closer: own = 0 } = machine.frame ?? {};
  close(machine, start);
  if (machine.frame !== undefined) takeLast(machine.frame);
  machine.rootEnd = -1;
  open(machine, kind, start, closer ?? own);
  note(machine, 'wrong-brackets', 'lossy', start, start + 1, kind === 'array' ? '[' : '{');
}

/** Text in braces that begins with a number: a set. `{"a": {1, 2}}` */
export const numbersInBraces: Fix = attempt('wrong-brackets', 'lossy', (machine, code) => {
  const { at, frame } = machine;
  if (!hasNoMember(frame) || !(isDigit(code) || code === char.minus)) return undefined;
  const next = nextCode(machine, namePartsEnd(machine, at));
  if (machine.needsMore || (next !== char.comma && next !== char.closeBrace)) return undefined;
  reopen(machine, 'array');
  return 'beforeValue';
});

const hasNoMember = (frame: Frame | undefined): boolean => frame?.keyBits === 0;

const isSentence = (text: string): boolean => /\s/.test(text) && /[.!?]\s*$/.test(text);

/** A quoted key without a value. Without any other key, it is a set. `{"a": {"x", "y"}}` `{"a", "b": 1}` */
export const keyAlone: Fix = attempt('wrong-brackets', 'lossy', (machine, code) => {
  const { at, frame, frames } = machine;
  if (frame?.key === undefined || frame.hasBareKeys) return undefined;
  if (code !== char.comma && code !== frame.closer) return undefined;
  // `{"Hello! How can I help?"}` is only a sentence in braces.
  if (frames.length === 1 && code === frame.closer && hasNoMember(frame) && isSentence(frame.key)) return undefined;
  const next = code === char.comma ? nextToken(machine, at + 1) : at;
  const isMember = code === char.comma && (!mayOpenString(codeAt(machine, next)) || mayBeQuotedKeyAt(machine, next));
  if (machine.needsMore) return undefined;
  const isSet = hasNoMember(frame) && !isMember && (code === char.comma || frames.length > 1);
  if (!isSet) {
    // `"x", "y"}`: all of it may be text.
    if (code === frame.closer && machine.last === 'string') markAmbiguous(machine, machine.lastStart, true);
    return deliverMissing(machine);
  }
  const item = frame.key;
  reopen(machine, 'array');
  return finishValue(machine, item, 'string', machine.lastStart, at);
});
