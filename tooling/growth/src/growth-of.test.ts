import { describe, expect, it } from 'vitest';
import { growthOf, linearGrowth } from './growth-of.ts';

const range = (size: number): readonly number[] => Array.from({ length: size }, (_, index) => index);

/** An algorithm with cubic time, so that noise can't hide it: the ratio is 64 instead of 1. */
const compareAll = (numbers: readonly number[]): void => {
  let found = 0;
  for (const first of numbers)
    for (const second of numbers) for (const third of numbers) if (Math.sqrt(first * second + third) > 3) found += 1;
  expect(found).toBeGreaterThan(0);
};

describe('growthOf', () => {
  it('is small for a linear algorithm', async () => {
    const sum = (numbers: readonly number[]): void => {
      expect(numbers.reduce((total, number) => total + Math.sqrt(number), 0)).toBeGreaterThan(0);
    };
    expect(await growthOf(range, sum, 100_000)).toBeLessThan(linearGrowth);
  });

  it('is large for a quadratic algorithm', async () => {
    expect(await growthOf(range, compareAll, 30)).toBeGreaterThan(linearGrowth);
  });

  it('is small for a linear algorithm whose small input is cheaper', async () => {
    const count = (numbers: readonly number[]): void => {
      const repeats = numbers.length > 20_000 ? 10 : 1;
      for (let repeat = 0; repeat < repeats; repeat += 1)
        expect(numbers.reduce((total, number) => total + Math.sqrt(number), 0)).toBeGreaterThan(0);
    };
    expect(await growthOf(range, count, 10_000)).toBeLessThan(linearGrowth);
  });

  it('awaits asynchronous work', async () => {
    const compareLater = async (numbers: readonly number[]): Promise<void> => {
      await Promise.resolve();
      compareAll(numbers);
    };
    expect(await growthOf(range, compareLater, 30)).toBeGreaterThan(linearGrowth);
  });
});
