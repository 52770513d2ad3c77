import { isDigit } from './characters.ts';
import { matchEnd } from './match-end.ts';

// The lookbehind excludes most strings, such as hashes. It comes last because the search is faster without it.
const longExponentPattern = /\d[eE]\+?\d{3}(?<=(?:^|[\s:,[-])[\d.]+[eE]\+?\d{3})/;
const digitsPattern = /\d{210}/y;
/** With more digits before its point and an exponent of two digits, a number may be too large for a double. */
const maxDigits = 209;

/**
 * Returns whether a text may contain a number that is too large for a double: one with a long exponent, or hundreds of
 * digits.
 */
export function mayHoldInfinity(text: string): boolean {
  return longExponentPattern.test(text) || hasLongNumber(text);
}

/** Checks only every n-th character, because a number that is long enough contains one of them. */
function hasLongNumber(text: string): boolean {
  for (let at = maxDigits; at < text.length; at += maxDigits) {
    if (!isDigit(text.charCodeAt(at))) continue;
    let start = at;
    while (start > 0 && isDigit(text.charCodeAt(start - 1)) && at - start <= maxDigits) start -= 1;
    if (matchEnd(digitsPattern, text, start) !== -1) return true;
  }
  return false;
}
