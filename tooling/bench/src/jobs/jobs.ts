import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openJobs } from '@haft/jobs';
import { formatNumber } from '@haft-tooling/benchmark-page';
import {
  countRow,
  medianOf,
  runModule,
  type Benchmark,
  type BenchmarkOptions,
  type MeasuredRow,
} from '@haft-tooling/measure';
import { versionOf } from '@haft-tooling/peers/version-of';

import { loadStoreFixtures } from '../store/store-fixtures.ts';
import { measurePickup, measureTakeover } from './measure-delays.ts';

const bare = `pg-boss ${versionOf('pg-boss')} alone`;
const oneOutput = `pg-boss ${versionOf('pg-boss')} alone, one output for a batch`;
const notified = `pg-boss ${versionOf('pg-boss')} with LISTEN/NOTIFY`;

/** Jobs of a round, by the size of its batches. */
const batches = [
  { size: 1, count: 150 },
  { size: 10, count: 40 },
] as const;
const leastShare = 0.6;
const pickups = 100;
const leaseMs = 1_000;
const takeovers = 3;

/** Measures durable calls on PostgreSQL, compared with the queue under them. */
export const jobsBenchmark: Benchmark = {
  summary:
    'Durable calls on PostgreSQL from submission to result, compared with pg-boss alone; how soon idle workers begin; how soon the jobs of a killed worker continue; and the start of the embedded database.',
  async run(options) {
    const { postgresDirectory, createPostgresCluster } = await loadStoreFixtures();
    if (postgresDirectory === undefined) throw new Error('PostgreSQL is missing (Debian: apt-get install postgresql)');
    const cluster = await createPostgresCluster();
    let schemas = 0;
    const place = (): readonly [url: string, schema: string] => [cluster.url(), `bench_${(schemas += 1)}`];
    try {
      const rows: MeasuredRow[] = [];
      for (const batch of batches) rows.push(await measureThroughput(options, place, batch));
      options.log(`  picking up ${pickups} jobs`);
      const delays = await measurePickup('haft', ...place(), pickups);
      const peer = await measurePickup('pg-boss', ...place(), pickups);
      const p95 = percentile95(delays);
      const what = `From submitting to the body in an idle worker of another process, 95th percentile (median ${formatNumber(medianOf(delays))})`;
      rows.push(countRow(what, 'ms', round(p95), { [notified]: round(percentile95(peer)) }, '≤ 50 ms', p95 <= 50));
      rows.push(await measureTakeovers(options, place));
      rows.push(...(await measureEmbedded(options)));
      return rows;
    } finally {
      await cluster.remove();
    }
  },
};

type Place = () => readonly [url: string, schema: string];

async function measureThroughput(
  { rounds, log }: BenchmarkOptions,
  place: Place,
  { size, count }: (typeof batches)[number],
): Promise<MeasuredRow> {
  const found = new Map<string, number[]>([
    ['haft', []],
    ['pg-boss', []],
    ...(size === 1 ? [] : [['pg-boss, one output', []] as [string, number[]]]),
  ]);
  for (let round = 0; round < rounds; round += 1) {
    log(`  batches of ${size}: round ${round + 1} of ${rounds}`);
    const names = [...found.keys()];
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const program = new URL('throughput-process.ts', import.meta.url);
      const { perSecond } = await runModule<{ perSecond: number }>(program, [name, ...place(), `${size}`, `${count}`]);
      found.get(name)!.push(perSecond);
    }
  }
  const [haft = [], alone = [], shared] = [...found.values()];
  const ratio = Math.max(...alone) / Math.max(...haft);
  const peers = { [bare]: alone, ...(shared === undefined ? {} : { [oneOutput]: shared }) };
  return {
    what: size === 1 ? 'Submit → result, one job after the other' : `Submit → result, batches of ${size}`,
    unit: 'jobs a second, median',
    haft: round(medianOf(haft)),
    peers: Object.fromEntries(Object.entries(peers).map(([name, values]) => [name, round(medianOf(values))])),
    bar: `≥ ${leastShare} × pg-boss alone, best rounds`,
    holds: 1 / ratio >= leastShare,
    ratios: Object.fromEntries(
      Object.entries(peers).map(([name, values]) => [name, round(Math.max(...values) / Math.max(...haft))]),
    ),
  };
}

async function measureTakeovers({ log }: BenchmarkOptions, place: Place): Promise<MeasuredRow> {
  let longest = 0;
  for (let index = 0; index < takeovers; index += 1) {
    log(`  killing worker ${index + 1} of ${takeovers}`);
    longest = Math.max(longest, await measureTakeover(...place(), leaseMs));
  }
  const what = `From the death of a worker to the next attempt of its job, lease of ${formatNumber(leaseMs)} ms, longest of ${takeovers}`;
  return countRow(what, 'ms', round(longest), {}, '≤ the lease + 1 s', longest <= leaseMs + 1_000);
}

/** Opens a new embedded database, and then opens it again. */
async function measureEmbedded({ log }: BenchmarkOptions): Promise<readonly MeasuredRow[]> {
  log('  opening the embedded database');
  const folder = await mkdtemp(join(tmpdir(), 'haft-bench-jobs-'));
  const times: number[] = [];
  for (let index = 0; index < 4; index += 1) {
    const before = performance.now();
    const jobs = await openJobs({ url: `file:${folder}` });
    times.push(performance.now() - before);
    await jobs.close();
  }
  await rm(folder, { recursive: true });
  const [first = Infinity, ...later] = times;
  const again = Math.min(...later);
  return [
    countRow('Opening a new embedded database', 'ms', round(first), {}, '≤ 1,500 ms', first <= 1_500),
    countRow('Opening it again, best of 3', 'ms', round(again), {}, '≤ 1,000 ms', again <= 1_000),
  ];
}

function percentile95(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length * 0.95)] ?? Infinity;
}

const round = (value: number): number => Number(value.toPrecision(3));
