import fc from 'fast-check';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { cutToWidth, visibleWidth, wrapLine } from './wrap-line.ts';

describe('wrapLine', () => {
  test('wraps between words and continues below the indent', () => {
    expect(wrapLine('  one two three four', 11, '    ')).toEqual(['  one two', '    three', '    four']);
    expect(wrapLine('short  enough', 13, '  ')).toEqual(['short  enough']);
  });

  test('breaks a word that is wider than a line', () => {
    expect(wrapLine('see abcdefghijklmnopqrstuvw now', 12, '  ')).toEqual([
      'see',
      '  abcdefghij',
      '  klmnopqrst',
      '  uvw now',
    ]);
  });

  test('breaks a path or a name after a separator, not inside a word', () => {
    expect(wrapLine('read src/fare/round-up.js', 12)).toEqual(['read', 'src/fare/', 'round-up.js']);
    expect(wrapLine('everything_get-sum', 14)).toEqual(['everything_', 'get-sum']);
  });

  test('counts two columns for an East Asian character, and none for a combining mark', () => {
    expect(visibleWidth('日本 e\u0301 한 👍')).toBe(12);
    expect(wrapLine('日本語の文字', 8, '')).toEqual(['日本語の', '文字']);
    expect(cutToWidth('日本語', 5)).toBe('日本');
  });

  test('ignores colours when it measures, and keeps all of them', () => {
    const [first, second] = wrapLine('\u001b[31mred words\u001b[39m here', 9, '');
    expect(first).toBe('\u001b[31mred words\u001b[39m');
    expect(second).toBe('here');
  });

  test('never makes a line too wide, and keeps every word', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b', ' ', '😀', '\u001b[1m') }),
        fc.integer({ min: 10, max: 40 }),
        (text, width) => {
          const lines = wrapLine(text, width, '  ');
          for (const line of lines) expect(visibleWidth(line)).toBeLessThanOrEqual(width);
          const letters = (given: string): string => given.replaceAll(' ', '');
          expect(letters(lines.join(''))).toBe(letters(text));
        },
      ),
    );
  });
});

test('cutToWidth keeps the colours of the remaining text', () => {
  const cut = cutToWidth('\u001b[32m✓\u001b[39m \u001b[1mread\u001b[22m src/a.ts', 6);
  expect(cut).toContain('\u001b[32m✓\u001b[39m');
  expect(stripVTControlCharacters(cut)).toBe('✓ read');
});
