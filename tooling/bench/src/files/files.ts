import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Benchmark, BenchmarkOptions, MeasuredRow } from '@haft-tooling/measure';
import { bar, bestOf, countRow, exactly, inRounds, makeFolder, medianOf, runModule } from '@haft-tooling/measure';
import { toolsets, type Toolset } from '@haft-tooling/peers/files/file-tools';
import { killWriters } from './kill-writers.ts';
import { raceLinks, type RaceOutcome } from './race-links.ts';

const [haft, ...others] = toolsets as readonly [Toolset, ...Toolset[]];
const names = toolsets.map(({ name }) => name);

/**
 * Measures large files, concurrent readers, processes that are killed during a write, and folders that are replaced by
 * links.
 */
export const filesBenchmark: Benchmark = {
  summary: 'Large files, concurrent edits, processes killed during a write, and folders replaced by links.',
  async run(options) {
    return [
      ...(await readLargeFile(options)),
      await countLostEdits(options),
      await countTornFiles(options),
      ...(await countEscapes(options)),
    ];
  },
};

interface Reading {
  readonly ms: number;
  readonly megabytes: number;
  readonly problem?: string;
}

async function readLargeFile({ rounds, log, attach }: BenchmarkOptions): Promise<readonly MeasuredRow[]> {
  using folder = makeFolder();
  const path = join(folder.path, 'large.txt');
  log('  writing 1 GB');
  writeLargeFile(path, 1_000_000_000);
  const module = new URL('read-process.ts', import.meta.url);
  const readings = await inRounds(names, Math.min(rounds, 3), (name) => {
    log(`  ${name} reads 20 lines of it`);
    return runModule<Reading>(module, [name, path, '20']);
  });
  const problems = names.flatMap((name) => {
    const problem = readings[name]?.[0]?.problem;
    return problem === undefined ? [] : [`${name}: ${problem}`];
  });
  if (problems.length > 0)
    attach(
      `Tools that failed to read the file of 1 GB; their time and memory are those until the failure: ${problems.join('; ')}.`,
    );
  const row = (what: string, unit: string, key: 'ms' | 'megabytes', limit: number): MeasuredRow => {
    const values = (name: string): readonly number[] => (readings[name] ?? []).map((one) => one[key]);
    const peers = Object.fromEntries(others.map(({ name }) => [name, medianOf(values(name))]));
    const isMet = bestOf(values(haft.name)) <= limit;
    const title = `The first 20 lines of a file of 1 GB, ${what}`;
    return countRow(title, `${unit}, median`, medianOf(values(haft.name)), peers, bar(`≤ ${limit} ${unit}`, isMet));
  };
  return [row('time', 'ms', 'ms', 50), row('peak memory', 'MB', 'megabytes', 32)];
}

function writeLargeFile(path: string, bytes: number): void {
  const descriptor = openSync(path, 'w');
  try {
    const block = Array.from(
      { length: 20_000 },
      (_, index) => `line ${index} of a file that is larger than memory should be\n`,
    ).join('');
    for (let written = 0; written < bytes;) written += writeSync(descriptor, block);
  } finally {
    closeSync(descriptor);
  }
}

async function countLostEdits({ log }: BenchmarkOptions): Promise<MeasuredRow> {
  const count = 50;
  return counted(`Of ${count} edits of one file at once: lost or failed`, toolsets, async (toolset) => {
    log(`  ${toolset.name}: ${count} edits of one file at once`);
    using folder = makeFolder();
    const file = join(folder.path, 'file.txt');
    writeFileSync(file, Array.from({ length: count }, (_, index) => `<${index}>\n`).join(''));
    const tools = await toolset.open(folder.path);
    const edits = Array.from({ length: count }, (_, index) => tools.edit('file.txt', `<${index}>`, `[${index}]`));
    const outcomes = await Promise.allSettled(edits);
    const text = readFileSync(file, 'utf8');
    return outcomes.filter(({ status }, index) => status === 'rejected' || !text.includes(`[${index}]\n`)).length;
  });
}

async function countTornFiles({ full, log }: BenchmarkOptions): Promise<MeasuredRow> {
  const kills = full ? 200 : 10;
  const what = `Of ${kills} processes killed while they wrote a file of 2 MB: files left torn`;
  return counted(what, toolsets, async ({ name }) => {
    log(`  ${name}: ${kills} processes killed while they write`);
    return (await killWriters(name, kills)).torn;
  });
}

async function countEscapes({ full, log }: BenchmarkOptions): Promise<readonly MeasuredRow[]> {
  const seconds = full ? 10 : 3;
  const confined = toolsets.filter(({ isConfined }) => isConfined);
  const outcomes = new Map<Toolset, RaceOutcome>();
  for (const toolset of confined) {
    log(`  ${toolset.name}: a folder is replaced by a link`);
    const outcome = await raceLinks(toolset, seconds * 1_000);
    log(`    ${outcome.swaps} swaps, ${outcome.reads} reads`);
    outcomes.set(toolset, outcome);
  }
  const row = (what: string, key: 'outsideReads' | 'outsideWrites'): Promise<MeasuredRow> =>
    counted(`A folder replaced by a link for ${seconds} s: ${what} outside the root`, confined, (toolset) =>
      Promise.resolve(outcomes.get(toolset)?.[key] ?? Number.NaN),
    );
  return [await row('reads', 'outsideReads'), await row('files written', 'outsideWrites')];
}

/** A row of what must not happen at all. */
async function counted(
  what: string,
  contenders: readonly Toolset[],
  count: (toolset: Toolset) => Promise<number>,
): Promise<MeasuredRow> {
  const counts: Record<string, number> = {};
  for (const toolset of contenders) counts[toolset.name] = await count(toolset);
  const { [haft.name]: own = Number.NaN, ...peers } = counts;
  return countRow(what, 'count', own, peers, exactly(0));
}
