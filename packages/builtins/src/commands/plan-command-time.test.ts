import { describe, expect, it } from 'vitest';
import { planTime } from './plan-command-time.ts';

describe('planTime', () => {
  it.each([
    [600_000, 615_000, 600_000, 5_000],
    [120_000, 120_000, 110_000, 5_000],
    [120_000, 30_000, 20_000, 5_000],
    [120_000, 10_000, 6_666, 1_666],
    [120_000, 1_000, 666, 166],
    [400, 10_000, 400, 1_666],
    [120_000, 0, 1, 1],
    [120_000, -5_000, 1, 1],
  ])('plans for %i ms wanted and %i ms left: %i ms to run and %i ms to end', (wanted, left, timeoutMs, killGraceMs) => {
    expect(planTime(wanted, left)).toEqual({ timeoutMs, killGraceMs });
  });

  it('reserves time for the result, however short the call is', () => {
    for (let left = 30; left < 200_000; left = Math.ceil(left * 1.3)) {
      const { timeoutMs, killGraceMs } = planTime(600_000, left);
      expect(timeoutMs).toBeGreaterThanOrEqual(Math.floor((left * 2) / 3));
      expect(timeoutMs + killGraceMs).toBeLessThan(left);
    }
  });
});
