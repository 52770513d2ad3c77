import type { Machine, State } from '../machine/machine.ts';
import { dueKinds, finishValue, note, refuse } from '../machine/operations.ts';
import * as char from '../text/char.ts';
import { isDigit, isOddSpace, toNarrow, isIn } from '../text/characters.ts';
import { endsToken } from '../text/plain-text.ts';
import { words } from '../text/value-words.ts';

/** Adds the number between two offsets, and reports a number that a double can't represent. */
export function deliverNumber(machine: Machine, at: number, end: number): State | undefined {
  const { text } = machine;
  const value = numberBetween(text, at, end);
  // A number in its usual notation is left to a validator, regardless of the declaration.
  if (isTextDue(machine, 'number') && String(value) !== text.slice(at, end)) return deliverSource(machine, at, end);
  if (!Number.isFinite(value)) return deliverTooLarge(machine, at, end);
  const { unsafeIntegers } = machine.limits;
  if (unsafeIntegers !== 'round' && !Number.isSafeInteger(value) && /^-?\d+$/.test(text.slice(at, end))) {
    const message = `The integer ${text.slice(at, Math.min(end, at + 40))} is beyond 2^53`;
    if (unsafeIntegers === 'refuse')
      return refuse(machine, 'UNSAFE_INTEGER', message, 'long integers in double quotes', at);
    note(machine, 'unsafe-integer', 'lossy', at, end, String(value));
  }
  return finishValue(machine, value, 'number', at, end);
}

/** Reads digits. A loop reads a short integer faster than `Number`. */
function numberBetween(text: string, at: number, end: number): number {
  let value = 0;
  for (let index = at; index < end; index += 1) {
    const code = text.charCodeAt(index);
    if (!isDigit(code) || end - at > 15) return Number(text.slice(at, end));
    value = value * 10 + code - char.zero;
  }
  return value;
}

/** `1e999`: a double can't represent the number, so its value is lost. */
export function deliverTooLarge(machine: Machine, at: number, end: number): State | undefined {
  note(machine, 'too-large', 'lossy', at, end, 'null');
  return finishValue(machine, null, 'number', at, end);
}

/** Returns whether text is declared for a value that looks like another type. */
export function isTextDue(machine: Machine, kind: 'number' | 'boolean' | 'null'): boolean {
  const kinds = dueKinds(machine);
  if (kinds === undefined || !kinds.has('string') || kinds.has(kind)) return false;
  return kind !== 'number' || !kinds.has('integer');
}

/** Adds the source text between two offsets as a string, because a string is declared: `1.10`, `007`, `None`. */
export function deliverSource(machine: Machine, at: number, end: number): State | undefined {
  const source = machine.text.slice(at, end);
  note(machine, 'declared-string', 'safe', at, end, JSON.stringify(source.slice(0, 58)));
  return finishValue(machine, source, 'string', at, end);
}

/** Adds the value of the word at the cursor. Returns undefined if the word stands for no value. */
export function deliverWord(machine: Machine, word: string): State | undefined {
  const { at } = machine;
  const meant = words.get(word);
  if (meant === undefined) return undefined;
  const { value, risk } = meant;
  const end = at + word.length;
  if (risk !== 'none') {
    if (isTextDue(machine, value === null ? 'null' : 'boolean')) return deliverSource(machine, at, end);
    note(machine, 'other-word', risk, at, end, JSON.stringify(value));
  }
  return finishValue(machine, value, 'word', at, end);
}

/** Returns whether a character can directly follow a number. */
export const endsNumber = (code: number): boolean => endsWord(code) || code === char.less;

/** Returns whether a character can directly follow a word that is a complete value. */
export function endsWord(code: number): boolean {
  return endsToken(code) || code === char.end || isIn(');/#\\,}]', toNarrow(code)) || isOddSpace(code);
}
