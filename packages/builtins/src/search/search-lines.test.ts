import { describe, expect, it } from 'vitest';
import { createLineSearch, type LineSearchResult } from './search-lines.ts';

function search(pieces: readonly string[], pattern: RegExp, context = 0, keep = 100): LineSearchResult {
  const lines = createLineSearch({ pattern, context, keep });
  for (const piece of pieces) lines.push(piece);
  return lines.finish();
}

describe('a line search', () => {
  it('gives the same however the text is cut into pieces', () => {
    const text = 'one\ntwo x\r\nthree\nfour x\n\nfive\nsix x';
    const whole = search([text], /x$/, 1);
    expect(whole.lines.map(({ line, isMatch }) => (isMatch ? line : -line))).toEqual([-1, 2, -3, 4, -5, -6, 7]);
    for (let cut = 0; cut <= text.length; cut += 1) {
      for (let second = cut; second <= text.length; second += 3) {
        expect(search([text.slice(0, cut), text.slice(cut, second), text.slice(second)], /x$/, 1)).toEqual(whole);
      }
    }
  });

  it('shows a line near two matches once, and no line twice', () => {
    const { lines } = search(['x\na\nx\nb\nc\nd\nx'], /x/, 1);
    expect(lines.map(({ line }) => line)).toEqual([1, 2, 3, 4, 6, 7]);
  });

  it('counts every match and keeps only so many', () => {
    expect(search(['x\n'.repeat(10)], /x/, 0, 3)).toMatchObject({
      matches: 10,
      lines: [{ line: 1 }, { line: 2 }, { line: 3 }],
    });
  });

  it('shows of a long line the part around its match', () => {
    const { lines } = search([`${'a'.repeat(5_000)}needle${'b'.repeat(5_000)}`], /needle/);
    expect(lines[0]!.text).toContain('needle');
    expect(lines[0]!.text.length).toBeLessThan(510);
  });

  it('takes the break at the end for no line of its own', () => {
    expect(search(['a\n'], /^$/).matches).toBe(0);
    expect(search(['a\n\n'], /^$/).lines).toMatchObject([{ line: 2 }]);
  });
});
