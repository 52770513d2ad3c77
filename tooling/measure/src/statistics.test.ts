import { describe, expect, it } from 'vitest';

import { bestOf, medianOf, percentileOf } from './statistics.ts';

describe('statistics of rounds', () => {
  it('takes medians and bests, and rejects an empty list', () => {
    expect(medianOf([3, 1, 2])).toBe(2);
    expect(medianOf([4, 1, 3, 2])).toBe(2.5);
    expect(bestOf([3, 1, 2])).toBe(1);
    expect([0.5, 0.95, 1].map((share) => percentileOf([4, 1, 3, 2], share))).toEqual([3, 4, 4]);
    expect(() => medianOf([])).toThrow('is empty');
    expect(() => bestOf([])).toThrow('is empty');
  });
});
