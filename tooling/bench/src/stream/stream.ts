import type { Benchmark } from '@haft-tooling/measure';
import { measureArguments } from './measure-arguments.ts';
import { measureCalls } from './measure-calls.ts';
import { measureChunkings } from './measure-chunkings.ts';

/** Measures JSON and calls that are read while they are written. */
export const streamBenchmark: Benchmark = {
  summary:
    'Arguments and messages that arrive in small chunks: the cost of a live value, and whether the result equals that of the whole text.',
  async run(options) {
    options.attach(
      'Readers that start over for each value are measured for every 250th value, and the time is multiplied by 250. This works because their values do not depend on each other.',
    );
    return [...(await measureArguments(options)), ...measureChunkings(options), ...(await measureCalls(options))];
  },
};
