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
      'Readers that start over for each value are measured at every 250th of them, times 250, because the values are independent.',
    );
    return [...(await measureArguments(options)), ...measureChunkings(options), ...(await measureCalls(options))];
  },
};
