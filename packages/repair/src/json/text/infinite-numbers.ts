import { isDigit } from './characters.ts';

const LONG_EXPONENT = /\d[eE]\+?\d{3}/;
const DIGITS = /\d{309}/y;
/** A number with more digits than this before its point is beyond what a double can hold. */
const MOST_DIGITS = 308;

/** Whether a text may hold a number that is too large for a double: one with a long exponent, or hundreds of digits. */
export function mayHoldInfinity(text: string): boolean {
  const hasExponents = text.includes('e') || text.includes('E');
  return (hasExponents && LONG_EXPONENT.test(text)) || hasLongNumber(text);
}

/** Looks at one digit in so many, since a number that is long enough has it. */
function hasLongNumber(text: string): boolean {
  for (let at = MOST_DIGITS; at < text.length; at += MOST_DIGITS) {
    if (!isDigit(text.charCodeAt(at))) continue;
    let start = at;
    while (start > 0 && isDigit(text.charCodeAt(start - 1)) && at - start <= MOST_DIGITS) start -= 1;
    DIGITS.lastIndex = start;
    if (DIGITS.test(text)) return true;
  }
  return false;
}
