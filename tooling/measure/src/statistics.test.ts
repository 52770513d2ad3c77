import { describe, expect, it } from 'vitest';

import { bestOf, medianOf } from './statistics.ts';

describe('statistics of rounds', () => {
  it('takes medians and bests, and rejects an empty list', () => {
    expect(medianOf([3, 1, 2])).toBe(2);
    expect(medianOf([4, 1, 3, 2])).toBe(2.5);
    expect(bestOf([3, 1, 2])).toBe(1);
    expect(() => medianOf([])).toThrow('is empty');
    expect(() => bestOf([])).toThrow('is empty');
  });
});
