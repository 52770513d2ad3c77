import { afterBetween } from './between.ts';
import {
  BACKSLASH,
  COLON,
  EQUALS,
  GREATER,
  DOT,
  MINUS,
  PLUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
  isDigit,
  isNamePart,
  isNameStart,
  toNarrow,
} from './characters.ts';
import { codeAt, startsAt, type Machine } from './machine.ts';

const LONGEST = 64;

/**
 * Whether a quoted key stands at an offset that lost its colon, or its closing quote: `"key" 1`, `"key"[`, `"key: "x"`,
 * `"key => "x"`, or has another sign. Only names count, and only with a value after them: prose with quotes in it looks like
 * this otherwise.
 */
export function isDamagedKeyAt(machine: Machine, at: number): boolean {
  if (codeAt(machine, at) !== QUOTE) return false;
  const end = nameEnd(machine, at + 1);
  if (end === at + 1) return false;
  const isQuoted = codeAt(machine, end) === QUOTE;
  const sign = afterSign(machine, isQuoted ? end + 1 : end);
  const after = sign === -1 && isQuoted ? end + 1 : sign;
  return after !== -1 && isValueAt(machine, afterBetween(machine, after));
}

/** Where the sign between key and value ends that stands at an offset, spaces before it left aside; -1 when there is none. */
export function afterSign(machine: Machine, from: number): number {
  let at = from;
  while (codeAt(machine, at) === SPACE) at += 1;
  const code = toNarrow(codeAt(machine, at));
  if (code !== COLON && code !== EQUALS) return -1;
  const next = codeAt(machine, at + 1);
  return next === EQUALS || (code === EQUALS && next === GREATER) ? at + 2 : at + 1;
}

/** Where the name ends that begins at an offset; the offset itself when none does. */
export function nameEnd(machine: Machine, at: number): number {
  if (!isNameStart(codeAt(machine, at))) return at;
  let end = at + 1;
  while (end - at < LONGEST && isNamePart(codeAt(machine, end))) end += 1;
  return end;
}

const WORDS = ['true', 'false', 'null', 'True', 'False', 'None', 'TRUE', 'FALSE', 'NULL'];

/** Whether something that can only be a value begins at an offset: a quote, an opener, a number, or a known word. */
export function isValueAt(machine: Machine, at: number): boolean {
  const code = toNarrow(codeAt(machine, at));
  if (code === QUOTE || code === OPEN_BRACE || code === OPEN_BRACKET || isDigit(code)) return true;
  if (code === MINUS || code === PLUS || code === DOT) return isDigit(codeAt(machine, at + 1));
  if (code === BACKSLASH) return codeAt(machine, at + 1) === QUOTE;
  return isWordAt(machine, at);
}

/** Whether one of the words that stand for a value stands at an offset. */
export function isWordAt(machine: Machine, at: number): boolean {
  return WORDS.some((word) => startsAt(machine, word, at) && !isNamePart(codeAt(machine, at + word.length)));
}
