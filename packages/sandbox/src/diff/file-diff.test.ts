import { applyPatch, parsePatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { computeFileDiff } from './file-diff.ts';

function diff(before: string | null, after: string | null): ReturnType<typeof computeFileDiff> {
  return computeFileDiff({ path: 'a.txt', before, after });
}

const lines = fc.array(fc.constantFrom('a', 'b', 'c', '', 'a\r', '-', '+++ b/a.txt'), { maxLength: 30 });
const texts = fc.tuple(lines, fc.constantFrom('', '\n')).map(([all, end]) => all.join('\n') + end);

describe('computeFileDiff', () => {
  test('shows a change with three lines of context', () => {
    const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n';
    expect(diff(before, before.replace('five', '5'))).toEqual({
      path: 'a.txt',
      patch: '--- a/a.txt\n+++ b/a.txt\n@@ -2,7 +2,7 @@\n two\n three\n four\n-five\n+5\n six\n seven\n eight\n',
      existedBefore: true,
      existsAfter: true,
      additions: 1,
      deletions: 1,
      truncated: false,
      coarse: false,
    });
  });

  test('distinguishes a missing file from an empty one, on both sides', () => {
    expect(diff(null, 'a\n')).toMatchObject({
      existedBefore: false,
      patch: '--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,1 @@\n+a\n',
    });
    expect(diff('', 'a\n')).toMatchObject({
      existedBefore: true,
      patch: '--- a/a.txt\n+++ b/a.txt\n@@ -0,0 +1,1 @@\n+a\n',
    });
    expect(diff('a\n', null)).toMatchObject({
      existsAfter: false,
      patch: '--- a/a.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n',
    });
    expect(diff('a\n', '')).toMatchObject({
      existsAfter: true,
      patch: '--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +0,0 @@\n-a\n',
    });
    expect(diff(null, '')).toMatchObject({
      existedBefore: false,
      patch: '--- /dev/null\n+++ b/a.txt\n',
      additions: 0,
      deletions: 0,
    });
  });

  test('returns an empty patch if nothing changed', () => {
    for (const text of [null, '', 'a', 'a\n'])
      expect(diff(text, text)).toMatchObject({ patch: '', additions: 0, deletions: 0 });
  });

  test.each([
    ['added', 'a\nb', 'a\nb\n', ' a\n-b\n\\ No newline at end of file\n+b\n'],
    ['removed', 'a\nb\n', 'a\nb', ' a\n-b\n+b\n\\ No newline at end of file\n'],
    ['missing in both', 'a\nb', 'x\nb', '-a\n+x\n b\n\\ No newline at end of file\n'],
  ])('marks a final line break that was %s', (_what, before, after, body) => {
    expect(diff(before, after).patch.split('@@\n')[1]).toBe(body);
  });

  test('shows changed line endings as changes', () => {
    expect(diff('a\nb\n', 'a\r\nb\r\n')).toMatchObject({ additions: 2, deletions: 2 });
    expect(diff('a\rb\r', 'a\rc\r')).toMatchObject({ additions: 1, deletions: 1 });
    expect(diff('\uFEFFa\n', 'a\n')).toMatchObject({ additions: 1, deletions: 1 });
  });

  test('quotes names with line breaks, so that they cannot forge patch lines', () => {
    const { patch } = computeFileDiff({ path: 'a\n+++ b/etc', before: '', after: 'x\n' });
    expect(patch).toBe('--- "a/a\\n+++ b/etc"\n+++ "b/a\\n+++ b/etc"\n@@ -0,0 +1,1 @@\n+x\n');
  });

  test('creates patches that apply cleanly, with mirrored counts in reverse', () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const there = diff(before, after);
        const back = diff(after, before);
        if (before !== after) expect(applyPatch(before, there.patch, { autoConvertLineEndings: false })).toBe(after);
        expect([back.additions, back.deletions]).toEqual([there.deletions, there.additions]);
      }),
      { numRuns: 2_000 },
    );
  });

  test('is correct when there are too many edits to find the fewest', () => {
    const word = fc.oneof(fc.constantFrom('}', '', 'return'), fc.integer({ min: 0, max: 5_000 }).map(String));
    const original = fc.array(word, { minLength: 800, maxLength: 1_200, size: 'max' });
    fc.assert(
      fc.property(original, fc.integer({ min: 2, max: 9 }), fc.nat(), (all, every, seed) => {
        const changed = all.flatMap((line, index) => {
          const kind = (index * 7_919 + seed) % (every * 3);
          return [[`new ${index}`], [], [line, 'added']][kind] ?? [line];
        });
        const [before, after] = [all.join('\n'), changed.join('\n')];
        const { patch } = computeFileDiff({ path: 'a', before, after, maxPatchCharacters: Infinity });
        if (before !== after) expect(applyPatch(before, patch)).toBe(after);
      }),
      { numRuns: 40 },
    );
  });

  test('computes correct hunk positions in a long text', () => {
    const before = Array.from({ length: 5_000 }, (_, index) => `line ${index}\n`);
    const after = before.with(100, 'x\n').with(4_000, 'y\nz\n');
    const { patch, additions, deletions } = diff(before.join(''), after.join(''));
    expect(parsePatch(patch)[0]?.hunks.map(({ oldStart, newStart }) => [oldStart, newStart])).toEqual([
      [98, 98],
      [3_998, 3_998],
    ]);
    expect([additions, deletions]).toEqual([3, 2]);
    expect(applyPatch(before.join(''), patch)).toBe(after.join(''));
  });

  test('omits hunks beyond the limit, but counts them', () => {
    const before = Array.from({ length: 1_000 }, (_, index) => `line ${index}\n`);
    const after = before.map((line, index) => (index % 100 === 50 ? 'changed\n' : line));
    const cut = computeFileDiff({ path: 'a', before: before.join(''), after: after.join(''), maxPatchCharacters: 500 });
    expect(cut).toMatchObject({ truncated: true, additions: 10, deletions: 10 });
    expect(cut.patch).toMatch(/\n\[… [5-9] of 10 hunks omitted …\]\n$/);
    expect(cut.patch.length).toBeLessThan(700);
  });

  describe('with 100,000 lines', { timeout: 60_000 }, () => {
    const before = Array.from({ length: 100_000 }, (_, index) => `line ${index} of the old text\n`);

    test('finds one changed line', () => {
      const after = before.with(50_000, 'changed\n');
      expect(diff(before.join(''), after.join(''))).toMatchObject({ additions: 1, deletions: 1, coarse: false });
    });

    test('finds scattered changes', () => {
      const after = before.map((line, index) => (index % 200 === 0 ? 'changed\n' : line));
      const found = diff(before.join(''), after.join(''));
      expect(found).toMatchObject({ additions: 500, deletions: 500, coarse: false });
      expect(applyPatch(before.join(''), found.patch)).toBe(after.join(''));
    });

    test('reports texts without common lines as replaced', () => {
      const after = before.map((line) => line.replace('old', 'new'));
      expect(diff(before.join(''), after.join(''))).toMatchObject({
        additions: 100_000,
        deletions: 100_000,
        coarse: true,
        truncated: true,
      });
    });

    test('does not report a created or deleted file as coarse', () => {
      expect(diff(null, before.join(''))).toMatchObject({ additions: 100_000, deletions: 0, coarse: false });
      expect(diff(before.join(''), null)).toMatchObject({ additions: 0, deletions: 100_000, coarse: false });
    });
  });

  test('creates coarse diffs that apply cleanly', () => {
    const [before, after] = ['old', 'new'].map(
      (word) => `head\n${Array.from({ length: 3_000 }, (_, index) => `${word} ${index}\n`).join('')}tail`,
    );
    const found = computeFileDiff({
      path: 'a',
      before: before ?? '',
      after: after ?? '',
      maxPatchCharacters: Infinity,
    });
    expect(found).toMatchObject({ coarse: true, additions: 3_000, deletions: 3_000, truncated: false });
    expect(applyPatch(before ?? '', found.patch)).toBe(after);
  });

  test.each([
    ['different lines', (index: number, side: string) => `${side} ${index}\n`],
    [
      'equal lines in different numbers',
      (index: number, side: string) => (side === 'a' || index % 3 > 0 ? 'x\n' : 'y\n'),
    ],
    ['one line', (_index: number, side: string) => side],
  ])('takes time proportional to the text for %s', async (_what, line) => {
    const makeSides = (count: number): readonly string[] =>
      ['a', 'b'].map((side) => Array.from({ length: count }, (_, index) => line(index, side)).join(''));
    expect(await growthOf(makeSides, ([before = '', after = '']) => void diff(before, after), 10_000)).toBeLessThan(
      linearGrowth,
    );
  });
});
