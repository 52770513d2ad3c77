import { describe, expect, test } from 'vitest';
import { createWordWrap } from './word-wrap.ts';

const text = 'The tests of this project fail. I begin with three files at once.\n\n  indented code\nand a last line';

function wrapped(pieces: readonly string[], width: number): string {
  let written = '';
  const wrap = createWordWrap({
    width: () => width,
    indent: '  ',
    write: (more) => (written += more),
    dress: (words) => words,
  });
  for (const piece of pieces) wrap.push(piece);
  wrap.end();
  return written;
}

describe('createWordWrap', () => {
  test('wraps between words at the width, with an indent, and keeps newlines', () => {
    expect(wrapped([text], 30)).toBe(
      [
        '  The tests of this project',
        '  fail. I begin with three',
        '  files at once.',
        '',
        '    indented code',
        '  and a last line',
        '',
      ].join('\n'),
    );
  });

  test.each([1, 2, 3, 7])('gives the same result for chunks of %i characters if no word is near the edge', (size) => {
    const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
    expect(wrapped(pieces, 200)).toBe(wrapped([text], 200));
    for (const line of wrapped(pieces, 40).split('\n')) expect(line.length).toBeLessThanOrEqual(40);
  });

  test('breaks text without blanks between wide characters, and shows it as it comes', () => {
    expect(wrapped('我们先看看笔记再说'.split(''), 12)).toBe('  我们先看看\n  笔记再说\n');
    expect(wrapped(['see 我们先看 notes'], 12)).toBe('  see 我们先\n  看 notes\n');
  });

  test('shows arriving text immediately if there is room', () => {
    let written = '';
    const wrap = createWordWrap({
      width: () => 80,
      indent: '  ',
      write: (more) => (written += more),
      dress: (words) => words,
    });
    wrap.push('A very long thou');
    expect(written).toBe('  A very long thou');
    wrap.push('ght');
    expect(written).toBe('  A very long thought');
    wrap.end();
    wrap.end();
    expect(written).toBe('  A very long thought\n');
  });
});
