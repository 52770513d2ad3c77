import { describe, expect, it } from 'vitest';
import { startSearchTime } from './limit-search-time.ts';

describe('the time limit of a search', () => {
  it.each([
    [120_000, 30_000],
    [30_000, 20_000],
    [300, 200],
  ])('in a call with %i ms left is %i ms', (left, searchMs) => {
    let now = 1_000_000;
    const isOver = startSearchTime({ deadline: now + left, now: () => now });
    expect(isOver()).toBe(false);
    now += searchMs;
    expect(isOver()).toBe(false);
    now += 1;
    expect(isOver()).toBe(true);
  });
});
