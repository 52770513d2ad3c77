import type { BenchmarkOptions, Contender, MeasuredRow } from '@haft-tooling/measure';
import { bar, bestCpuFor, cpuRow, measureSideBySide } from '@haft-tooling/measure';
import { moduleOf } from '@haft-tooling/peers/module-of';
import { callReaders, haft } from '@haft-tooling/peers/streams/call-readers';
import { characters, maxGrowth, pace, twice } from './measure-arguments.ts';

const module = moduleOf('streams/read-calls');

/** Measures a message with one large call that arrives in small chunks, and one of twice the size. */
export async function measureCalls({ rounds, log }: BenchmarkOptions): Promise<readonly MeasuredRow[]> {
  log('  a call with 100 KB of arguments');
  const contenders = [
    ...callReaders.map(({ name }): Contender => ({ name, module, options: { reader: name, characters } })),
    { name: twice, module, options: { reader: haft.name, characters: 2 * characters } },
  ];
  const measurements = await measureSideBySide(contenders, { rounds, log, pace });
  const isMet = bestCpuFor(measurements, twice) <= maxGrowth * bestCpuFor(measurements, haft.name);
  const what = 'A call with 100 KB of arguments in a message in 16-character chunks, its arguments live after each';
  return [cpuRow(what, measurements, bar(`twice as much in ≤ ${maxGrowth} × the time`, isMet), 'ms')];
}
