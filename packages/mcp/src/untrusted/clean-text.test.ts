import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanLine, cutBytes } from './clean-text.ts';
import { createTailBuffer } from '../stdio/tail-buffer.ts';

describe('text in names and messages', () => {
  it('is cut between characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 3, max: 40 }), (text, maxBytes) => {
        const cut = cutBytes(text, maxBytes);
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(maxBytes);
        if (cut !== text) expect(text.startsWith(cut.slice(0, -1))).toBe(true);
        expect(cut.isWellFormed()).toBe(true);
      }),
    );
  });

  it('is joined to one line', () => {
    expect(cleanLine(' a\n\tb  c ', 10)).toBe('a b c');
    expect(cleanLine('abcdef', 3)).toBe('abc…');
  });
});

describe('the tail of a stream', () => {
  it('holds the last bytes for any chunks', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 50 }), { maxLength: 30 }), (texts) => {
        const tail = createTailBuffer(64);
        for (const text of texts) tail.append(Buffer.from(text));
        const whole = Buffer.from(texts.join(''));
        expect(tail.total).toBe(whole.length);
        expect(tail.text()).toBe(
          whole
            .subarray(-64)
            .toString('utf8')
            .replace(/^\uFFFD+/, ''),
        );
      }),
    );
  });
});
