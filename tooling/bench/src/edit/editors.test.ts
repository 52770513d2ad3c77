import { describe, expect, it } from 'vitest';
import { haft } from '@haft-tooling/peers/edits/editors';
import { judgeEditor } from './judge-editor.ts';
import { editCategories, isLarge, makeCases } from '@haft-tooling/corpora/edits';

const isLong = process.env['HAFT_TEST_LONG'] === '1';

describe('edits as models send them', () => {
  it('have more than twenty kinds, and are identical for the same seeds', () => {
    expect(editCategories.length).toBeGreaterThan(40);
    for (const category of ['P01 exact', 'P22 several edits at once', 'N02 number changed'])
      expect(makeCases('development', category, 5)).toEqual(makeCases('development', category, 5));
    expect(makeCases('development', 'P01 exact', 5)).not.toEqual(makeCases('held-out', 'P01 exact', 5));
  });

  it('count as right only if every byte is right', async () => {
    const [one] = makeCases('development', 'P01 exact', 1);
    const careless = { name: 'careless', replacesAll: true, open: () => Promise.resolve(() => Promise.resolve(true)) };
    expect(await judgeEditor(careless, [one!])).toMatchObject({ right: 0, wrong: 1 });
    const silent = { name: 'silent', replacesAll: true, open: () => Promise.resolve(() => Promise.resolve(false)) };
    expect(await judgeEditor(silent, [one!])).toMatchObject({ refused: 1, touched: 0 });
  });

  it.each(['development', 'held-out'].flatMap((row) => editCategories.map((category) => [row, category] as const)))(
    'from %s: %s',
    { timeout: 120_000 },
    async (row, category) => {
      const few = isLarge(category) ? 1 : 10;
      const count = isLong ? (isLarge(category) ? 60 : 300) : few;
      const cases = makeCases(row, category, count);
      expect(cases).toHaveLength(count);
      const tally = await judgeEditor(haft, cases);
      expect(tally.touched).toBe(0);
      // Cases that must be refused are always refused. The results of the others are nearly always right.
      if (/^[NG]/.test(category)) expect(tally).toMatchObject({ right: 0, wrong: 0, refused: count });
      else {
        expect(tally.right / count).toBeGreaterThanOrEqual(isLong ? 0.95 : 0.9);
        expect(tally.wrong / count).toBeLessThanOrEqual(isLong ? 0.005 : 0);
      }
    },
  );
});
