import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { detectEol, dominantEol, hasFinalNewline, normalizeEol, toLf } from './line-endings.ts';

const texts = fc.string({ unit: fc.constantFrom('a', '\n', '\r', '\r\n'), maxLength: 30 });

describe('detectEol and dominantEol', () => {
  test.each([
    ['', 'none', '\n'],
    ['a', 'none', '\n'],
    ['a\n', '\n', '\n'],
    ['a\r\nb\r\n', '\r\n', '\r\n'],
    ['a\rb\rc', '\r', '\r'],
    ['a\r\nb\n', 'mixed', '\n'],
    ['a\r\nb\r\nc\n', 'mixed', '\r\n'],
    ['a\rb\r\nc\r', 'mixed', '\r'],
    ['\r\r\n', 'mixed', '\r\n'],
    ['\n\r', 'mixed', '\n'],
  ])('for %j, return %j and %j', (text, style, dominant) => {
    expect(detectEol(text)).toBe(style);
    expect(dominantEol(text)).toBe(dominant);
  });
});

describe('toLf', () => {
  test('replaces all carriage returns and preserves the lines', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(toLf(text)).toBe(text.split(/\r\n|\r|\n/).join('\n'));
      }),
    );
  });
});

describe('normalizeEol', () => {
  test('gives all lines the same ending, reversibly', () => {
    fc.assert(
      fc.property(texts, fc.constantFrom('\n', '\r\n', '\r'), (text, eol) => {
        const normal = normalizeEol(text, eol);
        expect(['none', eol]).toContain(detectEol(normal));
        expect(toLf(normal)).toBe(toLf(text));
        expect(normalizeEol(normal, eol)).toBe(normal);
      }),
    );
  });

  test.each([
    ['a', true, 'a\r\n'],
    ['a\n', true, 'a\r\n'],
    ['a\n\n', true, 'a\r\n\r\n'],
    ['', true, ''],
    ['a\n\n', false, 'a'],
    ['a\rb\r', false, 'a\r\nb'],
    ['\n', false, ''],
    ['a\n', undefined, 'a\r\n'],
    ['a', undefined, 'a'],
  ])('with finalNewline turns %j (%j) into %j', (text, finalNewline, expected) => {
    expect(normalizeEol(text, '\r\n', finalNewline)).toBe(expected);
  });

  test('takes time proportional to the text, regardless of blank lines', async () => {
    const makeText = (length: number): string => `${'\n'.repeat(length)}a`;
    expect(await growthOf(makeText, (text) => void normalizeEol(text, '\n', false), 50_000)).toBeLessThan(linearGrowth);
  });
});

test.each([
  ['', false],
  ['a', false],
  ['a\n', true],
  ['a\r\n', true],
  ['a\r', true],
])('hasFinalNewline of %j returns %j', (text, expected) => {
  expect(hasFinalNewline(text)).toBe(expected);
});
