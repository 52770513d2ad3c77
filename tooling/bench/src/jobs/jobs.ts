import { join } from 'node:path';
import { openJobs } from '@haft/jobs';
import { formatNumber } from '@haft-tooling/benchmark-page';
import type { Benchmark, BenchmarkOptions, MeasuredRow } from '@haft-tooling/measure';
import {
  atMost,
  bar,
  countRow,
  inRounds,
  makeFolder,
  medianOf,
  millisecondsOf,
  percentileOf,
  round,
  runModule,
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
      const what = `From submitting to the body in an idle worker of another process, 95th percentile (median ${formatNumber(medianOf(delays))})`;
      const others = { [notified]: percentileOf(peer, 0.95) };
      rows.push(countRow(what, 'ms', percentileOf(delays, 0.95), others, atMost(50, 'ms')));
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
  const shown: Readonly<Record<string, string>> = {
    'pg-boss': bare,
    ...(size === 1 ? {} : { 'pg-boss, one output': oneOutput }),
  };
  const program = new URL('throughput-process.ts', import.meta.url);
  const speeds = await inRounds(['haft', ...Object.keys(shown)], rounds, async (name, round) => {
    log(`  batches of ${size}: ${name}, round ${round + 1} of ${rounds}`);
    const args = [name, ...place(), `${size}`, `${count}`];
    return (await runModule<{ perSecond: number }>(program, args)).perSecond;
  });
  const perPeer = (pick: (values: readonly number[]) => number): Record<string, number> =>
    Object.fromEntries(Object.entries(shown).map(([name, label]) => [label, pick(speeds[name] ?? [])]));
  const { haft = [] } = speeds;
  const ratios = perPeer((values) => round(Math.max(...values) / Math.max(...haft)));
  const isMet = 1 / (ratios[bare] ?? Number.NaN) >= leastShare;
  const what = size === 1 ? 'Submit → result, one job after the other' : `Submit → result, batches of ${size}`;
  const limit = bar(`≥ ${leastShare} × pg-boss alone, best rounds`, isMet);
  return { ...countRow(what, 'jobs a second, median', medianOf(haft), perPeer(medianOf), limit), ratios };
}

async function measureTakeovers({ log }: BenchmarkOptions, place: Place): Promise<MeasuredRow> {
  let longest = 0;
  for (let index = 0; index < takeovers; index += 1) {
    log(`  killing worker ${index + 1} of ${takeovers}`);
    longest = Math.max(longest, await measureTakeover(...place(), leaseMs));
  }
  const what = `From the death of a worker to the next attempt of its job, lease of ${formatNumber(leaseMs)} ms, longest of ${takeovers}`;
  return countRow(what, 'ms', longest, {}, { ...atMost(leaseMs + 1_000), text: '≤ the lease + 1 s' });
}

/** Opens new embedded databases, the first of them with an empty cache, and then one of them again. */
async function measureEmbedded({ log }: BenchmarkOptions): Promise<readonly MeasuredRow[]> {
  log('  opening embedded databases');
  using folder = makeFolder();
  const cache = process.env['XDG_CACHE_HOME'];
  process.env['XDG_CACHE_HOME'] = join(folder.path, 'cache');
  const open = async (name: string): Promise<number> => {
    const opening = openJobs({ url: `file:${join(folder.path, name)}` });
    const time = await millisecondsOf(() => opening);
    await (await opening).close();
    return time;
  };
  const first = await open('first');
  const later = Math.min(await open('second'), await open('third'), await open('fourth'));
  const again = Math.min(await open('first'), await open('second'), await open('third'));
  if (cache === undefined) delete process.env['XDG_CACHE_HOME'];
  else process.env['XDG_CACHE_HOME'] = cache;
  return [
    countRow('Opening the first embedded database of a user', 'ms', first, {}, atMost(1_500, 'ms')),
    countRow('Opening another new one, best of 3', 'ms', later, {}, atMost(1_500, 'ms')),
    countRow('Opening one again, best of 3', 'ms', again, {}, atMost(1_000, 'ms')),
  ];
}
