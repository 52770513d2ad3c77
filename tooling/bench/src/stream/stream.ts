import type { Benchmark } from '@haft-tooling/measure';
import { measureArguments } from './measure-arguments.ts';
import { measureCalls } from './measure-calls.ts';
import { measureChunkings } from './measure-chunkings.ts';

/** JSON and calls that are read while they are written. */
export const streamBenchmark: Benchmark = {
  summary:
    'Arguments and messages that arrive in small pieces: what a live value costs, and whether pieces come to what the whole comes to.',
  async run(options) {
    options.attach(
      'Those who read everything again for each value are measured at every 250th of them, times 250: a value does not depend on the one before.',
    );
    return [...(await measureArguments(options)), ...measureChunkings(options), ...(await measureCalls(options))];
  },
};
