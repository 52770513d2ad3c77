import { expect, it } from 'vitest';
import { durationText, tookText } from './duration.ts';

it('writes durations in the unit that fits', () => {
  expect([0.2, 12.4, 8_340, 240_000].map(durationText)).toEqual(['1 ms', '12 ms', '8.3 s', '4 min']);
});

it('names the time that a call waited', () => {
  expect(tookText({ durationMs: 12, waitedMs: 4 })).toBe('12 ms');
  expect(tookText({ durationMs: 12, waitedMs: 8_300 })).toBe(
    '12 ms, after waiting 8.3 s for an answer or for other calls',
  );
});
