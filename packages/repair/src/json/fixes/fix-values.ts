import * as char from '../text/char.ts';
import { endOfText } from '../actions/closing.ts';
import { deliverSource, deliverTooLarge, deliverWord, endsNumber, endsWord, isTextDue } from '../actions/scalars.ts';
import { nextToken } from '../lookahead/next-token.ts';
import { isValueAt } from '../lookahead/damaged-key.ts';
import { isStringBefore, isQuotedKeyAt, mayBeQuotedKeyAt } from '../lookahead/key-at.ts';
import { mayOpenString } from '../text/delimiters.ts';
import { opensNextAt } from '../lookahead/follows-at.ts';
import { typeEnd } from '../lookahead/item-at.ts';
import { attempt, replace, type Fix } from './fix.ts';
import type { Machine, State } from '../machine/machine.ts';
import { codeAt, deliver, dueKinds, findFrom, finishValue, note } from '../machine/operations.ts';
import { namePartsEnd } from '../lookahead/name-end.ts';
import type { RepairRisk } from '../result/repair-result.ts';
import { isDigit, isNamePart, isOpener, matchEnd } from '../text/characters.ts';
import { words } from '../text/value-words.ts';

/** A word for a value, also of Python, JavaScript and other languages. `[True, NaN]` */
export const otherWords: Fix = attempt('other-word', 'safe', (machine, code) => {
  const { at, text } = machine;
  const end = namePartsEnd(machine, at + Number(code === char.plus));
  const next = codeAt(machine, end);
  if (machine.needsMore) return undefined;
  const word = text.slice(at, end);
  if (words.has(word) && (endsWord(next) || opensNextAt(machine, end))) return deliverWord(machine, word);
  return next === char.end && machine.frames.length > 0 ? completeCut(machine, word) : undefined;
});

/** A word that is cut at the end of the text is completed if only one word is possible. */
function completeCut(machine: Machine, word: string): State | undefined {
  const { at } = machine;
  for (const [candidate, meant] of words) {
    if (candidate.startsWith(word)) {
      deliver(machine, meant.value, at);
      return endOfText(machine, 'cut', 'cut-word', at);
    }
  }
  return undefined;
}

interface Spelling {
  readonly code: string;
  /** Matches a whole number. */
  readonly pattern: RegExp;
  readonly risk: RepairRisk;
}

const spellings: readonly Spelling[] = [
  { code: 'leading-zeros', pattern: /^[+-]?0+[0-9]+(?:\.[0-9]+)?$/, risk: 'lossy' },
  { code: 'leading-plus', pattern: /^\+[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/, risk: 'safe' },
  { code: 'leading-dot', pattern: /^[+-]?\.[0-9]+(?:[eE][+-]?[0-9]+)?$/, risk: 'safe' },
  { code: 'trailing-dot', pattern: /^[+-]?[0-9]+\.(?:[eE][+-]?[0-9]+)?$/, risk: 'safe' },
  { code: 'digit-separators', pattern: /^[+-]?[0-9]+\. [0-9]+$/, risk: 'lossy' },
  { code: 'other-radix', pattern: /^[+-]?0(?:[xX][0-9a-fA-F]+|[oO][0-7]+|[bB][01]+)$/, risk: 'safe' },
  { code: 'digit-separators', pattern: /^(?=[^_]*_)[+-]?[0-9][0-9_]*(?:\.[0-9_]+)?$/, risk: 'safe' },
  { code: 'big-integer', pattern: /^-?(?:0|[1-9][0-9]*)n$/, risk: 'safe' },
];

/** Reads any of these numbers. `Number` accepts no sign before `0x`. */
function numberOf(word: string): number {
  const value = Number(word.replaceAll(/^[+-]|[_n ]/g, ''));
  return word.startsWith('-') ? -value : value;
}

/** A number in the notation of another language. `[+1, .5, 1., 0x1F, 1_000]` */
export const otherNumbers: Fix = attempt('other-number', 'safe', (machine, first) => {
  const { at, text } = machine;
  if (!isDigit(first) && first !== char.minus && first !== char.plus && first !== char.dot) return undefined;
  let end = at;
  for (let code = first; isNamePart(code) || code === 0x2b; code = codeAt(machine, end)) {
    end += 1;
    // `0. 85`: a space after the point.
    if (text.startsWith('. ', end - 1) && isDigit(codeAt(machine, end + 1))) end += 1;
  }
  const isWhole = endsNumber(codeAt(machine, end)) || opensNextAt(machine, end);
  if (!isWhole || machine.needsMore || end - at > 400) return undefined;
  const word = text.slice(at, end);
  const spelling = spellings.find((candidate) => candidate.pattern.test(word));
  if (spelling === undefined) return undefined;
  if (isTextDue(machine, 'number')) return deliverSource(machine, at, end);
  const value = numberOf(word);
  if (!Number.isFinite(value)) return deliverTooLarge(machine, at, end);
  // `[1,000]`: two items, or a number with its thousands.
  if (machine.frame?.kind === 'array' && /^0\d\d(?!\d)/.test(word) && /\d,$/.test(text.slice(at - 2, at)))
    machine.isUncertain = true;
  // Every digit of a big integer is significant.
  const isRounded = spelling.code === 'big-integer' && !Number.isSafeInteger(value);
  note(machine, spelling.code, isRounded ? 'lossy' : spelling.risk, at, end, String(value));
  return finishValue(machine, value, 'number', at, end);
});

const groupsPattern = /(?:,\d{3})+(?:\.\d+)?/y;
const decimalsPattern = /,\d{1,2}(?!\d)/y;

/**
 * Digits where a key is expected: the comma before them was part of the number. Three digits are a group of thousands,
 * `{"a": 39,430.5}`, and fewer are decimals if a number is declared, `{"a": 12,5}`.
 */
export const thousands: Fix = attempt('digit-separators', 'lossy', (machine) => {
  const { at, frame, lastStart, text } = machine;
  if (frame?.key === undefined || machine.last !== 'number' || frame.comma !== at - 1) return undefined;
  const isNumberDue = dueKinds(machine)?.has('number') === true;
  const groups = matchEnd(groupsPattern, text, at - 1);
  const end = groups === -1 && isNumberDue ? matchEnd(decimalsPattern, text, at - 1) : groups;
  if (end === -1 || !endsNumber(codeAt(machine, end)) || machine.needsMore) return undefined;
  const value = Number(text.slice(lastStart, end).replaceAll(',', groups === -1 ? '.' : ''));
  if (!Number.isFinite(value)) return undefined;
  frame.members[frame.key] = value;
  frame.comma = -1;
  note(machine, 'digit-separators', 'lossy', lastStart, end, String(value));
  machine.at = end;
  return 'afterValue';
});

/** A value in a type of another language: the value alone is kept. `{"id": ObjectId("5f"), "n": Decimal('1.5')}` */
export const typedValue: Fix = replace('typed-value', 'lossy', '', 'beforeValue', ({ at, frames, text }) => {
  const opener = frames.length === 0 || frames[0]?.kind === 'call' ? -1 : typeEnd(text, at);
  return opener !== -1 && opener - at;
});

const endedScalarPattern = /[\w.+-]{1,40}\s{0,20}[,}]/y;

/** A comma instead of the colon, as the value or the next key shows. `{"a", "x", "b": 1}` `{"a", [1], "b": 2}` */
export const commaForColon: Fix = replace('wrong-colon', 'lossy', ':', 'beforeValue', (machine, code) => {
  const value = nextToken(machine, machine.at + 1);
  if (code !== char.comma) return false;
  if (codeAt(machine, value) !== char.quote && isValueAt(machine, value))
    return (isOpener(codeAt(machine, value)) || matchEnd(endedScalarPattern, machine.text, value) !== -1) && 1;
  if (!isStringBefore(machine, value, '}')) return false;
  const next = nextToken(machine, findFrom(machine, '"', value + 1) + 1);
  // `{"a", "b"}` is a set, but in `{"x": 1, "a", "b"}` the last two belong together.
  if (codeAt(machine, next) === machine.frame?.closer) return machine.frame.keyBits !== 0 && 1;
  const key = nextToken(machine, next + 1);
  return isQuotedKeyAt(machine, key) && 1;
});

/** A comma between the colon and the value. `{"a":, 1, "b": 2}` */
export const commaBeforeValue: Fix = replace('extra-comma', 'lossy', '', 'beforeValue', (machine, code) => {
  if (machine.frame?.kind !== 'object' || code !== char.comma) return false;
  const value = nextToken(machine, machine.at + 1);
  const isKey = mayOpenString(codeAt(machine, value)) && mayBeQuotedKeyAt(machine, value);
  return !isKey && isValueAt(machine, value) && 1;
});

export function deliverMissing(machine: Machine): State {
  const { at } = machine;
  note(machine, 'missing-value', 'lossy', at, at, 'null');
  deliver(machine, null, at);
  machine.last = 'none';
  return 'afterValue';
}

/** A comma or a closer where a value is expected. `{"a": , "b": 1}` */
export const missingValue: Fix = attempt('missing-value', 'lossy', (machine, code) => {
  const { frame } = machine;
  const isMissing = frame?.key !== undefined && (code === char.comma || code === frame.closer);
  return isMissing ? deliverMissing(machine) : undefined;
});
