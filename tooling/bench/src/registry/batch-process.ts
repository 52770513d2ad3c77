/**
 * Runs random batches in each mode, and batches of independent calls, as the tests of `@haft/core` do. The argument is
 * the number of batches. Prints how many differed from sequential execution, ran more calls in parallel than allowed,
 * or fewer than possible.
 */
import fc from 'fast-check';

type Mode = 'leases' | 'reads-then-writes' | 'serial';

interface Step {
  readonly tool: string;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly pauses: readonly number[];
  readonly failsAfter: number | undefined;
}

interface PlayedBatches {
  readonly anyBatch: fc.Arbitrary<readonly Step[]>;
  readonly playBatch: (batch: readonly Step[], mode: Mode, maxParallel: number) => Promise<{ readonly peak: number }>;
  readonly playInOrder: (batch: readonly Step[], mode: Mode) => object;
}

const file = new URL('../../../../packages/core/src/fixtures/play-batch.ts', import.meta.url);
const { anyBatch, playBatch, playInOrder } = (await import(file.href)) as PlayedBatches;
const count = Number(process.argv[2]);
let wrong = 0;

for (const mode of ['leases', 'reads-then-writes', 'serial'] as const) {
  const drawn = fc.sample(fc.tuple(anyBatch, fc.integer({ min: 1, max: 10 })), { numRuns: count, seed: 5 });
  for (const [batch, maxParallel] of drawn) {
    const { peak, ...outcome } = await playBatch(batch, mode, maxParallel);
    const isInOrder = JSON.stringify(outcome) === JSON.stringify(playInOrder(batch, mode));
    if (!isInOrder || peak > (mode === 'serial' ? 1 : maxParallel)) wrong += 1;
  }
}
for (let calls = 1; calls <= 20; calls += 1) {
  for (let maxParallel = 1; maxParallel <= 12; maxParallel += 1) {
    const batch = Array.from({ length: calls }, (_, index) => independent(index));
    const { peak } = await playBatch(batch, 'leases', maxParallel);
    if (peak !== Math.min(calls, maxParallel)) wrong += 1;
  }
}
process.stdout.write(JSON.stringify(wrong));

function independent(index: number): Step {
  return { tool: 'named', reads: [], writes: [`item:${index}`], pauses: [6], failsAfter: undefined };
}
