import { describe, expect, it } from 'vitest';

import { draw } from './draw.ts';
import { findWording } from './find-wording.ts';

const source = `
/** Reads a file. */
export function read() {
  // Two lines
  // of one comment.
  throw new ReadError('READ_ERROR', \`path: is missing (got \${path})\`);
}
// oxlint-disable-next-line no-console -- it is a program
export const fault = { message: 'the file is too large', hint: 'Read a smaller file.', name: 'not a message' };
`;

describe('findWording', () => {
  it('joins the line comments of a paragraph and skips directives', () => {
    expect(findWording('src/read.ts', source).comments).toEqual([
      { where: 'src/read.ts:2', text: 'Reads a file.' },
      { where: 'src/read.ts:4', text: 'Two lines of one comment.' },
    ]);
  });

  it('finds error messages and hints', () => {
    expect(findWording('src/read.ts', source).messages.map(({ text }) => text)).toEqual([
      '`path: is missing (got ${path})`',
      "'the file is too large'",
      "'Read a smaller file.'",
    ]);
  });

  it('names a test with the describe blocks around it', () => {
    const tests =
      "describe('a', () => { it('works', run); describe('b', () => { it.each([1])('fails', run); }); }); it('ends', run);";
    expect(findWording('src/a.test.ts', tests).testNames.map(({ text }) => text)).toEqual([
      'a > works',
      'a > b > fails',
      'ends',
    ]);
  });
});

describe('draw', () => {
  it('draws the same different items for the same seed, and others for another seed', () => {
    const items = Array.from({ length: 100 }, (_, index) => index);
    const drawn = draw(items, 20, 7);
    expect(new Set(drawn).size).toBe(20);
    expect(draw(items, 20, 7)).toEqual(drawn);
    expect(draw(items, 20, 8)).not.toEqual(drawn);
  });

  it('draws all items when there are too few', () => {
    expect(draw([1, 2], 5, 1).toSorted((a, b) => a - b)).toEqual([1, 2]);
  });
});
