import type { Benchmark, Contender } from '@haft-tooling/measure';
import { atMost, bar, countRow, cpuRow, exactly, measureSideBySide, runModule } from '@haft-tooling/measure';

const module = new URL('next-snapshot.ts', import.meta.url);
const tools = 10_000;
const fewer = 1_000;
const calls = 100_000;
const batches = 10_000;

const changes: readonly Contender[] = [
  { name: 'Haft', module, options: { tools } },
  { name: 'among 1,000 tools', module, options: { tools: fewer } },
];
const unchanged: readonly Contender[] = [{ name: 'Haft', module, options: { tools, unchanged: true } }];

/** Measures the cost of many tools and many calls. */
export const registryBenchmark: Benchmark = {
  summary: 'Snapshots of a changing registry, memory kept by many calls, and the order of batches.',
  async run(options) {
    const changed = await measureSideBySide(changes, options);
    const same = await measureSideBySide(unchanged, options);
    options.log(`  ${calls} calls`);
    const heap = new URL('heap-process.ts', import.meta.url);
    const kept = await runModule<number>(heap, [String(calls)], { flags: ['--expose-gc'] });
    options.log(`  ${batches} batches in each mode`);
    const player = new URL('batch-process.ts', import.meta.url);
    const wrong = await runModule<number>(player, [String(batches)]);
    return [
      cpuRow('The next snapshot after one change among 10,000 tools', changed, { ...atMost(1_000), text: '≤ 1 ms' }),
      // Throws if a contender returns a different object.
      cpuRow('A snapshot of 10,000 tools without a change', same, bar('the same object', true)),
      countRow(`Heap kept after ${calls} calls`, 'bytes a call', kept, {}, atMost(10, 'bytes a call')),
      countRow(
        `${batches} random batches in each of 3 modes: wrong results, or independent calls that did not run in parallel`,
        'batches',
        wrong,
        {},
        exactly(0),
      ),
    ];
  },
};
