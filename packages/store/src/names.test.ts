import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { compareKeys, endOfPrefix } from './names.ts';

/** Characters of every UTF-8 length, and those next to the gaps in Unicode. */
const character = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    '\u007f',
    '\u0080',
    '\u07ff',
    '\u0800',
    '\ud7ff',
    '\ue000',
    '\uffff',
    '\u{10000}',
    '\u{10ffff}',
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter((text) => !/\p{Cs}/u.test(text)),
);
const key = fc.array(character, { maxLength: 6 }).map((characters) => characters.join(''));

describe('compareKeys', () => {
  it('orders keys like their UTF-8 bytes', () => {
    fc.assert(
      fc.property(key, key, (left, right) => {
        const byBytes = Buffer.compare(Buffer.from(left), Buffer.from(right));
        expect(Math.sign(compareKeys(left, right))).toBe(byBytes);
      }),
    );
  });
});

describe('endOfPrefix', () => {
  it('returns a bound above every key with the prefix and not above any later key', () => {
    fc.assert(
      fc.property(key, key, key, (prefix, rest, other) => {
        const end = endOfPrefix(prefix);
        const isBelow = (text: string): boolean => end === undefined || compareKeys(text, end) < 0;
        expect(isBelow(prefix + rest)).toBe(true);
        const isInRange = compareKeys(other, prefix) >= 0 && isBelow(other);
        expect(isInRange).toBe(other.startsWith(prefix));
      }),
    );
  });

  it('returns undefined if the prefix consists only of the last code point', () => {
    expect([endOfPrefix(''), endOfPrefix('\u{10ffff}\u{10ffff}'), endOfPrefix('a\u{10ffff}')]).toEqual([
      undefined,
      undefined,
      'b',
    ]);
  });
});
