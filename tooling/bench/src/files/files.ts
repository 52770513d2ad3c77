import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Benchmark, BenchmarkOptions, MeasuredRow } from '@haft-tooling/measure';
import { bestOf, countRow, medianOf, runModule } from '@haft-tooling/measure';
import type { Toolset } from '@haft-tooling/peers/files/file-tools';
import { toolsets } from '@haft-tooling/peers/files/file-tools';
import { killWriters } from './kill-writers.ts';
import { raceLinks } from './race-links.ts';

const [haft, ...others] = toolsets as readonly [Toolset, ...Toolset[]];

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
  const folder = mkdtempSync(join(tmpdir(), 'bench-large-'));
  const path = join(folder, 'large.txt');
  log('  writing 1 GB');
  writeLargeFile(path, 1_000_000_000);
  const module = new URL('read-process.ts', import.meta.url);
  const readings = new Map<string, Reading[]>();
  try {
    for (let round = 0; round < Math.min(rounds, 3); round += 1) {
      for (const { name } of toolsets) {
        log(`  ${name} reads 20 lines of it`);
        readings.set(name, [...(readings.get(name) ?? []), await runModule<Reading>(module, [name, path, '20'])]);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const readingsOf = (name: string): readonly Reading[] => readings.get(name) ?? [];
  const problems = [...readings].flatMap(([name, [first]]) =>
    first?.problem === undefined ? [] : [`${name}: ${first.problem}`],
  );
  if (problems.length > 0) attach(`Tools that could not read the file of 1 GB: ${problems.join('; ')}.`);
  const row = (what: string, unit: string, key: 'ms' | 'megabytes', bar: string, limit: number): MeasuredRow => {
    const middle = (name: string): number => medianOf(readingsOf(name).map((one) => one[key]));
    const best = bestOf(readingsOf(haft.name).map((one) => one[key]));
    const peers = Object.fromEntries(others.map(({ name }) => [name, middle(name)]));
    return countRow(what, unit, middle(haft.name), peers, bar, best <= limit);
  };
  return [
    row('The first 20 lines of a file of 1 GB, time', 'ms, median', 'ms', '≤ 50 ms', 50),
    row('The first 20 lines of a file of 1 GB, peak memory', 'MB', 'megabytes', '≤ 32 MB', 32),
  ];
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
  const lost = new Map<string, number>();
  for (const toolset of toolsets) {
    log(`  ${toolset.name}: ${count} edits of one file at once`);
    const folder = mkdtempSync(join(tmpdir(), 'bench-edits-'));
    try {
      writeFileSync(join(folder, 'file.txt'), Array.from({ length: count }, (_, index) => `<${index}>\n`).join(''));
      const tools = await toolset.open(folder);
      const edits = Array.from({ length: count }, (_, index) => tools.edit('file.txt', `<${index}>`, `[${index}]`));
      const outcomes = await Promise.allSettled(edits);
      const text = readFileSync(join(folder, 'file.txt'), 'utf8');
      const missing = outcomes.filter(({ status }, index) => status === 'fulfilled' && !text.includes(`[${index}]\n`));
      lost.set(toolset.name, missing.length + outcomes.filter(({ status }) => status === 'rejected').length);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return counted(`Of ${count} edits of one file at once: lost or failed`, lost, 'none');
}

async function countTornFiles({ full, log }: BenchmarkOptions): Promise<MeasuredRow> {
  const kills = full ? 200 : 10;
  const torn = new Map<string, number>();
  for (const { name } of toolsets) {
    log(`  ${name}: ${kills} processes killed while they write`);
    torn.set(name, (await killWriters(name, kills)).torn);
  }
  return counted(`Of ${kills} processes killed while they wrote a file of 2 MB: files left torn`, torn, 'none');
}

async function countEscapes({ full, log }: BenchmarkOptions): Promise<readonly MeasuredRow[]> {
  const reads = new Map<string, number>();
  const writes = new Map<string, number>();
  for (const toolset of toolsets) {
    if (!toolset.isConfined) continue;
    log(`  ${toolset.name}: a folder is replaced by a link`);
    const outcome = await raceLinks(toolset, full ? 10_000 : 3_000);
    log(`    ${outcome.swaps} swaps, ${outcome.reads} reads`);
    reads.set(toolset.name, outcome.outsideReads);
    writes.set(toolset.name, outcome.outsideWrites);
  }
  const seconds = full ? 10 : 3;
  return [
    counted(`A folder replaced by a link for ${seconds} s: reads outside the root`, reads, 'none'),
    counted(`A folder replaced by a link for ${seconds} s: files written outside the root`, writes, 'none'),
  ];
}

function counted(what: string, values: ReadonlyMap<string, number>, bar: string): MeasuredRow {
  const own = values.get(haft.name) ?? Number.NaN;
  const peers = Object.fromEntries([...values].filter(([name]) => name !== haft.name));
  return countRow(what, 'count', own, peers, bar, own === 0);
}
