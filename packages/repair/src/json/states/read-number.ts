import {
  ASTERISK,
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_PAREN,
  COMMA,
  DOT,
  END,
  HASH,
  LESS,
  MINUS,
  SEMICOLON,
  SLASH,
  ZERO,
  isDigit,
  isWhitespace,
  toNarrow,
} from '../characters.ts';
import { deliverSource, isTextDue } from '../declared.ts';
import { applyFirst } from '../fix.ts';
import { opensNextAt } from '../follow.ts';
import { numberFixes } from '../fixes/index.ts';
import { plainNumberEnd } from '../plain-text.ts';
import { codeAt, deliver, fail, note, type Machine, type State } from '../machine.ts';
import { afterValue } from './after-value.ts';
import { endOfText } from './end-of-text.ts';

const JSON_NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const NUMBER_CHARACTERS = /[0-9+\-.eE]*/y;

/** A number, beginning at the cursor. `[|-1.5e3]` */
export function readNumber(machine: Machine): State | undefined {
  const { text, at } = machine;
  const plain = plainNumberEnd(text, at);
  if (plain !== -1) return deliverNumber(machine, at, plain);
  const end = endOfMatch(NUMBER_CHARACTERS, text, at);
  const next = codeAt(machine, end);
  if (machine.starved) return undefined;
  const longest = endOfMatch(JSON_NUMBER, text, at);
  if (next === END && machine.frames.length > 0) return cutNumber(machine, at, longest);
  // `2024/01/02`: a slash that begins no comment ends no number.
  const isSlashed = next === SLASH && codeAt(machine, end + 1) !== SLASH && codeAt(machine, end + 1) !== ASTERISK;
  if (machine.starved) return undefined;
  if (longest === end && longest > at && !isSlashed && (endsNumber(next) || opensNextAt(machine, end)))
    return deliverNumber(machine, at, end);
  return applyFirst(numberFixes, machine, text.charCodeAt(at)) ?? fail(machine, 'a number');
}

/** Hands over the number between two offsets, saying when a double cannot hold it. */
export function deliverNumber(machine: Machine, at: number, end: number): State | undefined {
  if (isTextDue(machine, 'number')) return deliverSource(machine, at, end);
  const value = toNumber(machine.text, at, end);
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
  return machine.failure === undefined ? afterValue : undefined;
}

/** A number at the very end may be the beginning of a longer one: what there is of it is kept, as cut. */
function cutNumber(machine: Machine, at: number, longest: number): undefined {
  if (longest > at) deliver(machine, toNumber(machine.text, at, longest), at);
  return endOfText(machine, 'cut', 'cut-number', at);
}

const POWERS = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14];

function toNumber(text: string, at: number, end: number): number {
  if (end - at > 15 || text.charCodeAt(at) === MINUS) return Number(text.slice(at, end));
  let digits = 0;
  let decimals = -1;
  for (let index = at; index < end; index += 1) {
    const code = text.charCodeAt(index);
    if (isDigit(code)) digits = digits * 10 + code - ZERO;
    else if (code === DOT && decimals === -1) decimals = end - index - 1;
    else return Number(text.slice(at, end));
  }
  // Up to 15 digits and powers of ten up to 22 are exact, so that dividing them rounds once, as reading the text does.
  return decimals <= 0 ? digits : digits / (POWERS[decimals] ?? 1);
}

function isPlainInteger(text: string, at: number, end: number): boolean {
  for (let index = at; index < end; index += 1) {
    if (!isDigit(text.charCodeAt(index)) && text.charCodeAt(index) !== MINUS) return false;
  }
  return true;
}

/** Whether a character can stand directly after a number. */
export function endsNumber(character: number): boolean {
  const code = toNarrow(character);
  return (
    code === COMMA ||
    code === CLOSE_BRACE ||
    code === CLOSE_BRACKET ||
    code === CLOSE_PAREN ||
    code === END ||
    code === SLASH ||
    code === HASH ||
    code === LESS ||
    code === SEMICOLON ||
    code === BACKSLASH ||
    isWhitespace(code)
  );
}

function endOfMatch(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
