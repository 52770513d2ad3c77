import type { Bar, BenchmarkOptions, Contender, MeasuredRow, Measurement } from '@haft-tooling/measure';
import { bar, bestCpuFor, cpuRow, measureSideBySide } from '@haft-tooling/measure';
import { argumentsShapes, type ArgumentsShape } from '@haft-tooling/corpora/streamed-arguments';
import { moduleOf } from '@haft-tooling/peers/module-of';
import { haft, incremental, liveReaders, reparsers } from '@haft-tooling/peers/streams/live-readers';

export const characters = 100_000;
export const twice = 'Haft, 200 KB';
/** The limit of growth: twice the text may take twice the time, with a margin for a busy machine. */
export const maxGrowth = 2.5;
export const pace = { warmUpMs: 500, roundMs: 100 };
const module = moduleOf('streams/live-value');

/** Measures the live value after each chunk of arguments; and again with twice the text, to see how the time grows. */
export async function measureArguments({ rounds, log }: BenchmarkOptions): Promise<readonly MeasuredRow[]> {
  const rows: MeasuredRow[] = [];
  for (const shape of argumentsShapes) {
    log(`  100 KB of arguments, ${shape}`);
    const contenders = liveReaders.map(({ name }): Contender => contenderOf(name, name, shape, characters));
    const measurements = await measureSideBySide(
      [...contenders, contenderOf(twice, haft.name, shape, 2 * characters)],
      { rounds, log, pace },
    );
    rows.push(...toRows(shape, measurements));
  }
  return rows;
}

function contenderOf(name: string, reader: string, shape: ArgumentsShape, length: number): Contender {
  return { name, module, options: { reader, shape, characters: length } };
}

function toRows(shape: ArgumentsShape, measurements: readonly Measurement[]): readonly MeasuredRow[] {
  const bestOf = (name: string): number => bestCpuFor(measurements, name);
  const own = bestOf(haft.name);
  const row = (what: string, names: readonly string[], limit: Bar): MeasuredRow =>
    cpuRow(
      what,
      [haft.name, ...names].flatMap((name) => measurements.filter((one) => one.name === name)),
      limit,
      'ms',
    );
  const others = incremental.map(({ name }) => name);
  const slow = reparsers.map(({ name }) => name);
  const what = `100 KB of arguments in 16-character chunks, a live value after each: ${shape}`;
  const isFast = slow.every((name) => bestOf(name) >= 500 * own) && others.every((name) => bestOf(name) > own);
  const fast = bar('≥ 500 × readers that start over, and ahead of all others', isFast);
  return [
    row(what, [...others, ...slow], fast),
    row(`Twice as much: ${shape}`, [twice], bar(`≤ ${maxGrowth} × the time`, bestOf(twice) <= maxGrowth * own)),
  ];
}
