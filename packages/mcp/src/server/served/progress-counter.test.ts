import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createProgressCounter } from './progress-counter.ts';

it('progress steps always grow', () => {
  const update = fc.record(
    {
      done: fc.oneof(fc.integer({ min: -5, max: 1_000_000_000 }), fc.double({ min: 0, max: 1, noNaN: true })),
      message: fc.string(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(update), (updates) => {
      const step = createProgressCounter();
      const steps = updates.map((each) => step(each).progress);
      expect(steps.slice(1).every((value, index) => value > steps[index]!)).toBe(true);
    }),
  );
});

it('progress steps use the numbers of the tool, or else count its messages', () => {
  const counting = createProgressCounter();
  expect([1, 2, 5].map((done) => counting({ done, total: 5 }))).toEqual(
    [1, 2, 5].map((progress) => ({ progress, total: 5 })),
  );
  const talking = createProgressCounter();
  expect(['a', 'b'].map((message) => talking({ message }))).toEqual([
    { progress: 1, message: 'a' },
    { progress: 2, message: 'b' },
  ]);
});
