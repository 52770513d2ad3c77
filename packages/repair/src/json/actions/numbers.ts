import * as char from '../text/char.ts';
import { isDigit, isWhitespace, toNarrow } from '../text/characters.ts';
import { deliverSource, isTextDue } from '../machine/declared.ts';
import { deliver, note, type Machine, type State } from '../machine/machine.ts';

/** Hands over the number between two offsets, saying when a double cannot hold it. */
export function deliverNumber(machine: Machine, at: number, end: number): State | undefined {
  const value = toNumber(machine.text, at, end);
  // A number in its usual spelling is itself whatever was declared: a validator can tell, and nothing is lost.
  if (isTextDue(machine, 'number') && String(value) !== machine.text.slice(at, end))
    return deliverSource(machine, at, end);
  if (!Number.isFinite(value)) return deliverTooLarge(machine, at, end);
  const { unsafeIntegers } = machine.limits;
  if (Number.isInteger(value) && !Number.isSafeInteger(value) && isPlainInteger(machine.text, at, end)) {
    if (unsafeIntegers === 'refuse') {
      machine.failure = {
        code: 'UNSAFE_INTEGER',
        message: `The integer ${machine.text.slice(at, Math.min(end, at + 40))} is beyond 2^53`,
        expected: 'long integers in double quotes',
        position: at,
      };
      return undefined;
    }
    if (unsafeIntegers === 'report') note(machine, 'unsafe-integer', 'lossy', at, end, String(value));
  }
  deliver(machine, value, at);
  machine.at = end;
  machine.last = 'number';
  machine.lastStart = at;
  return machine.failure === undefined ? 'afterValue' : undefined;
}

/** `1e999`: no double holds it, and what it was is lost. */
export function deliverTooLarge(machine: Machine, at: number, end: number): State | undefined {
  note(machine, 'too-large', 'lossy', at, end, 'null');
  deliver(machine, null, at);
  machine.at = end;
  machine.last = 'number';
  machine.lastStart = at;
  return machine.failure === undefined ? 'afterValue' : undefined;
}

export function toNumber(text: string, at: number, end: number): number {
  if (end - at > 15 || text.charCodeAt(at) === char.minus) return Number(text.slice(at, end));
  let digits = 0;
  let decimals = -1;
  for (let index = at; index < end; index += 1) {
    const code = text.charCodeAt(index);
    if (isDigit(code)) digits = digits * 10 + code - char.zero;
    else if (code === char.dot && decimals === -1) decimals = end - index - 1;
    else return Number(text.slice(at, end));
  }
  // Up to 15 digits and powers of ten up to 22 are exact, so that dividing them rounds once, as reading the text does.
  return decimals <= 0 ? digits : digits / (powers[decimals] ?? 1);
}

export function isPlainInteger(text: string, at: number, end: number): boolean {
  for (let index = at; index < end; index += 1) {
    if (!isDigit(text.charCodeAt(index)) && text.charCodeAt(index) !== char.minus) return false;
  }
  return true;
}

/** Whether a character can stand directly after a number. */
export function endsNumber(character: number): boolean {
  const code = toNarrow(character);
  return (
    code === char.comma ||
    code === char.closeBrace ||
    code === char.closeBracket ||
    code === char.closeParen ||
    code === char.end ||
    code === char.slash ||
    code === char.hash ||
    code === char.less ||
    code === char.semicolon ||
    code === char.backslash ||
    isWhitespace(code)
  );
}

const powers = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14];
