import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { countLines, truncateOutput, type KeepMode } from './truncate-output.ts';

const modes: readonly KeepMode[] = ['head', 'tail', 'head-tail'];
const texts = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', '\n', 'é', '€', '😀', '\r'), maxLength: 400 }),
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.array(fc.string({ maxLength: 20 }), { maxLength: 60 }).map((lines) => lines.join('\n')),
);

function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

describe('truncateOutput', () => {
  test('does not change text within the limits', () => {
    expect(truncateOutput('a\nb\n', { maxBytes: 4, maxLines: 2 })).toEqual({
      text: 'a\nb\n',
      truncated: false,
      omittedLines: 0,
      omittedBytes: 0,
      totalLines: 2,
      totalBytes: 4,
    });
    expect(truncateOutput('a\nb\n', { maxBytes: 3 }).truncated).toBe(true);
    expect(truncateOutput('a\nb\n', { maxLines: 1 }).truncated).toBe(true);
  });

  const lines = Array.from({ length: 10 }, (_, index) => `line ${index}\n`).join('');

  test.each([
    ['head', 'line 0\nline 1\nline 2\nline 3\n[… 6 lines, 42 bytes omitted …]\n'],
    ['tail', '[… 6 lines, 42 bytes omitted …]\nline 6\nline 7\nline 8\nline 9\n'],
    ['head-tail', 'line 0\nline 1\n[… 6 lines, 42 bytes omitted …]\nline 8\nline 9\n'],
  ] as const)('retains the %s', (keep, text) => {
    expect(truncateOutput(lines, { maxLines: 4, keep })).toEqual({
      text,
      truncated: true,
      omittedLines: 6,
      omittedBytes: 42,
      totalLines: 10,
      totalBytes: 70,
    });
  });

  test('cuts one long line between characters, by default to 50 KiB from both ends', () => {
    const cut = truncateOutput(`begin${'😀'.repeat(300_000)}end`);
    expect(cut.text).toMatch(/^begin(?:😀)+\n\[… \d+ bytes omitted …\]\n(?:😀)+end$/u);
    expect(Buffer.byteLength(cut.text)).toBeLessThanOrEqual(51_200);
    expect(Buffer.byteLength(cut.text)).toBeGreaterThan(51_000);
    expect(cut).toMatchObject({ omittedLines: 0, totalLines: 1, totalBytes: 1_200_008 });
  });

  test('accepts infinite limits', () => {
    expect(truncateOutput('a\nb', { maxBytes: Infinity, maxLines: 1, keep: 'head' }).text).toBe(
      'a\n[… 1 bytes omitted …]\n',
    );
    expect(truncateOutput('a\nb', { maxLines: Infinity }).truncated).toBe(false);
  });

  test('never splits a character, never exceeds its limits, and counts the omitted text', () => {
    fc.assert(
      fc.property(texts, fc.nat(300), fc.nat(20), fc.constantFrom(...modes), (text, maxBytes, maxLines, keep) => {
        const cut = truncateOutput(text, { maxBytes, maxLines, keep });
        if (isWellFormed(text)) expect(isWellFormed(cut.text)).toBe(true);
        expect(Buffer.byteLength(cut.text)).toBeLessThanOrEqual(maxBytes);
        const mark = /(?:^|\n)\[… [^\]]* omitted …\]\n?/u.exec(cut.text);
        const [head = '', tail = ''] =
          mark === null ? [cut.text] : [cut.text.slice(0, mark.index), cut.text.slice(mark.index + mark[0].length)];
        expect(countLines(head) + countLines(tail)).toBeLessThanOrEqual(maxLines);
        expect(cut.truncated).toBe(cut.text !== text || cut.omittedBytes > 0);
        expect(cut.totalBytes).toBe(Buffer.byteLength(text));
        expect(cut.omittedBytes).toBeLessThanOrEqual(cut.totalBytes);
      }),
      { numRuns: 2_000 },
    );
  });

  test('retains an unchanged start and end of the text', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 160, max: 300 }), (text, maxBytes) => {
        const cut = truncateOutput(text, { maxBytes });
        if (!cut.truncated) return;
        const mark = cut.text.search(/\n?\[… [^\]]* omitted …\]/u);
        expect(text.startsWith(cut.text.slice(0, mark))).toBe(true);
        expect(
          text.endsWith(cut.text.slice(cut.text.indexOf(' omitted …]') + ' omitted …]'.length).replace(/^\n/, '')),
        ).toBe(true);
      }),
    );
  });

  test.each(modes)('takes time proportional to the text when it retains %s', async (keep) => {
    const makeText = (length: number): string => 'x'.repeat(length);
    expect(await growthOf(makeText, (text) => void truncateOutput(text, { keep }), 2_000_000)).toBeLessThan(
      linearGrowth,
    );
  });
});
