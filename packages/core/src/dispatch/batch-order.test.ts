import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { independentStep } from '../fixtures/count-wrong-batches.ts';
import { anyBatch, playBatch, playInOrder } from '../fixtures/play-batch.ts';

const batches = process.env['HAFT_TEST_LONG'] === '1' ? 10_000 : 250;
const modes = ['leases', 'reads-then-writes', 'parallelizable', 'serial'] as const;

describe('a batch', () => {
  it.each(modes)(
    'has the same result in mode %s as running its calls in sequence',
    async (mode) => {
      let overlapped = 0;
      await fc.assert(
        fc.asyncProperty(anyBatch, fc.integer({ min: 1, max: 10 }), async (batch, maxParallel) => {
          const { peak, ...outcome } = await playBatch(batch, mode, maxParallel);
          expect(outcome).toEqual(playInOrder(batch, mode));
          expect(peak).toBeLessThanOrEqual(mode === 'serial' ? 1 : maxParallel);
          if (peak > 1) overlapped += 1;
        }),
        { numRuns: batches },
      );
      expect(overlapped > batches / 10).toBe(mode !== 'serial');
    },
    300_000,
  );

  it('runs calls without conflicts concurrently, up to the limit', async () => {
    const counts = fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 12 }));
    await fc.assert(
      fc.asyncProperty(counts, async ([calls, maxParallel]) => {
        const batch = Array.from({ length: calls }, (_, index) => independentStep(index));
        expect((await playBatch(batch, 'leases', maxParallel)).peak).toBe(Math.min(calls, maxParallel));
      }),
      { numRuns: Math.min(batches, 1_000) },
    );
  });
});
