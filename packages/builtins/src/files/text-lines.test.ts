import { describe, expect, it } from 'vitest';
import { countEqualHead, countLines, splitLines } from './text-lines.ts';

describe('lines', () => {
  it.each(['', '\n', 'a', 'a\n', 'a\nb', 'a\r\nb\r\n', 'a\rb', 'a\rb\r', '\n\n', 'a\rb\n', '\r'])(
    'of %j are counted as they are split',
    (text) => expect(countLines(text)).toBe(splitLines(text).length),
  );
});

describe('what two texts begin with', () => {
  it.each([0, 1, 16_383, 16_384, 16_385, 32_768, 40_000])('is found to the character: %i', (length) => {
    const head = 'ab'.repeat(20_000).slice(0, length);
    expect(countEqualHead(`${head}x${head}`, `${head}y`)).toBe(length);
    expect(countEqualHead(head, `${head}y`)).toBe(length);
    expect(countEqualHead(head, head)).toBe(length);
  });
});
