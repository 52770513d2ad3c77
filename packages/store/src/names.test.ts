import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { compareKeys, endOfPrefix } from './names.ts';

/** Whole characters of every length in UTF-8, and those beside the gaps between them. */
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
  it('orders as the bytes of UTF-8 do', () => {
    fc.assert(
      fc.property(key, key, (left, right) => {
        const byBytes = Buffer.compare(Buffer.from(left), Buffer.from(right));
        expect(Math.sign(compareKeys(left, right))).toBe(byBytes);
      }),
    );
  });
});

describe('endOfPrefix', () => {
  it('is above every key with the prefix and not above any other that follows', () => {
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

  it('does not exist for prefixes of nothing but the last character', () => {
    expect([endOfPrefix(''), endOfPrefix('\u{10ffff}\u{10ffff}'), endOfPrefix('a\u{10ffff}')]).toEqual([
      undefined,
      undefined,
      'b',
    ]);
  });
});
