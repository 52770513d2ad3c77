import { describe, expect, it } from 'vitest';
import { growthOf, linearGrowth } from './growth-of.ts';

const range = (size: number): readonly number[] => Array.from({ length: size }, (_, index) => index);

describe('growthOf', () => {
  it('is small where each item is looked at once', async () => {
    const sum = (numbers: readonly number[]): void => {
      expect(numbers.reduce((total, number) => total + Math.sqrt(number), 0)).toBeGreaterThan(0);
    };
    expect(await growthOf(range, sum, 100_000)).toBeLessThan(linearGrowth);
  });

  it('is large where each item is compared with each other', async () => {
    const countPairs = (numbers: readonly number[]): void => {
      let pairs = 0;
      for (const first of numbers) for (const second of numbers) if (Math.sqrt(first * second) > 3) pairs += 1;
      expect(pairs).toBeGreaterThan(0);
    };
    expect(await growthOf(range, countPairs, 700)).toBeGreaterThan(linearGrowth);
  });

  it('waits for what is asynchronous', async () => {
    const compare = async (numbers: readonly number[]): Promise<void> => {
      await Promise.resolve();
      let pairs = 0;
      for (const first of numbers) for (const second of numbers) if (Math.sqrt(first * second) > 3) pairs += 1;
      expect(pairs).toBeGreaterThan(0);
    };
    expect(await growthOf(range, compare, 700)).toBeGreaterThan(linearGrowth);
  });
});
