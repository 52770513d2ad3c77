import { describe, expect, it } from 'vitest';
import { countEqualHead, countLines, splitLines } from './text-lines.ts';

describe('countLines', () => {
  it.each(['', '\n', 'a', 'a\n', 'a\nb', 'a\r\nb\r\n', 'a\rb', 'a\rb\r', '\n\n', 'a\rb\n', '\r'])(
    'returns the number of lines of splitLines for %j',
    (text) => expect(countLines(text)).toBe(splitLines(text).length),
  );
});

describe('commonPrefixLength', () => {
  it.each([0, 1, 16_383, 16_384, 16_385, 32_768, 40_000])('is exact for a prefix of %i characters', (length) => {
    const head = 'ab'.repeat(20_000).slice(0, length);
    expect(countEqualHead(`${head}x${head}`, `${head}y`)).toBe(length);
    expect(countEqualHead(head, `${head}y`)).toBe(length);
    expect(countEqualHead(head, head)).toBe(length);
  });
});
