import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanLine, cleanText, cutBytes } from './clean-text.ts';
import { createTailBuffer } from './tail-buffer.ts';

describe('cleaned text', () => {
  it.each([
    ['colours', '\u001b[1;31mred\u001b[0m', 'red'],
    ['titles and links', '\u001b]0;title\u0007a\u001b]8;;http://x\u001b\\b', 'ab'],
    ['bidirectional overrides', 'a\u202eb\u2066c', 'abc'],
    ['tag characters', 'a\u{e0049}\u{e0067}b', 'ab'],
    ['zero-width characters', 'a\u200bb\ufeffc\u2060d', 'abcd'],
    ['control characters', 'a\u0000b\u0008c\u007fd', 'abcd'],
    ['half a character', 'a\ud83db', 'a\ufffdb'],
  ])('has no %s', (_what, dirty, clean) => {
    expect(cleanText(dirty)).toBe(clean);
  });

  it('keeps lines, tabs, emoji families and right-to-left scripts as they are', () => {
    const text = 'line\n\tnext\r\n👩‍👩‍👧 שלום سلام नमस्ते';
    expect(cleanText(text)).toBe(text);
  });

  it('is not changed by cleaning it again', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('\u001b', '[', ']', '3', 'm', '\u0007', '\ud83d', '\ude00', 'a') }),
    );
    fc.assert(
      fc.property(text, (dirty) => {
        const clean = cleanText(dirty);
        expect(cleanText(clean)).toBe(clean);
        expect(clean).not.toContain('\u001b');
      }),
    );
  });

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

  it('is one line where a line is wanted', () => {
    expect(cleanLine(' a\n\tb  c ', 10)).toBe('a b c');
    expect(cleanLine('abcdef', 3)).toBe('abc…');
  });
});

describe('the tail of a stream', () => {
  it('is its last bytes, whatever the chunks', () => {
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
