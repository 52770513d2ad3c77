import { join } from 'node:path';
import { versionOf } from '@haft-tooling/peers/version-of';
import { formatNumber } from '@haft-tooling/benchmark-page';
import type { Benchmark, BenchmarkOptions, MeasuredRow } from '@haft-tooling/measure';
import {
  atMost,
  bar,
  countRow,
  exactly,
  inRounds,
  makeFolder,
  medianOf,
  percentileOf,
  round,
  runModule,
} from '@haft-tooling/measure';
import { measureWatch } from './measure-watch.ts';
import type { Pace } from './database-process.ts';
import { loadStoreFixtures, type CrashWriters } from './store-fixtures.ts';

const bareSqlite = `better-sqlite3 ${versionOf('better-sqlite3')} alone, equally durable`;
const documents = 10_000;
const watched = 200;
const writesToKill = 1_000;
const kills = { some: 20, all: 100 };

/** A kind of database, and a function that returns the URL of a new empty one. */
interface Place {
  readonly kind: string;
  readonly newUrl: () => Promise<string>;
}

/**
 * Measures documents in a file, compared with the database alone; and, in a file and on a server, the delays of watchers
 * and the losses of killed writers.
 */
export const storeBenchmark: Benchmark = {
  summary:
    'Documents in a SQLite file and in PostgreSQL: sets and gets compared with the database alone, the delay of watchers, and the data after writers are killed.',
  async run(options) {
    const { postgresDirectory, createPostgresCluster, crashWriters } = await loadStoreFixtures();
    using folders = new DisposableStack();
    const newFolder = (): string => folders.use(makeFolder()).path;
    const file: Place = {
      kind: 'SQLite file',
      newUrl: () => Promise.resolve(`file:${join(newFolder(), 'haft.db')}`),
    };
    const rows = await measurePace(options, newFolder);
    if (postgresDirectory === undefined) {
      options.log('  there is no PostgreSQL here, so only files are measured');
      return [...rows, ...(await measurePlace(options, file, crashWriters))];
    }
    const cluster = await createPostgresCluster();
    let schemas = 0;
    const server: Place = {
      kind: 'PostgreSQL',
      newUrl: async () => {
        schemas += 1;
        await cluster.execute(`create schema bench_${schemas}`);
        return `${cluster.url()}&options=${encodeURIComponent(`-c search_path=bench_${schemas}`)}`;
      },
    };
    try {
      for (const place of [file, server]) rows.push(...(await measurePlace(options, place, crashWriters)));
      return rows;
    } finally {
      await cluster.remove();
    }
  },
};

/** Measures each database once per round, each time in a new folder. */
async function measurePace({ rounds, log }: BenchmarkOptions, newFolder: () => string): Promise<MeasuredRow[]> {
  const paces = await inRounds(['haft', 'better-sqlite3'], rounds, (name, round) => {
    log(`  ${name}: round ${round + 1} of ${rounds}`);
    return runModule<Pace>(new URL('database-process.ts', import.meta.url), [name, newFolder(), `${documents}`]);
  });
  return (['sets', 'gets'] as const).map((what) => {
    const haft = paces.haft.map((pace) => pace[what]);
    const bare = paces['better-sqlite3'].map((pace) => pace[what]);
    const ratio = Math.max(...bare) / Math.max(...haft);
    const title = `${formatNumber(documents)} ${what} in a file, one after the other`;
    const limit = bar('≥ 0.5 × better-sqlite3, best rounds', 1 / ratio >= 0.5);
    const row = countRow(title, `${what} a second, median`, medianOf(haft), { [bareSqlite]: medianOf(bare) }, limit);
    return { ...row, ratios: { [bareSqlite]: round(ratio) } };
  });
}

async function measurePlace(
  { full, log }: BenchmarkOptions,
  { kind, newUrl }: Place,
  crashWriters: CrashWriters,
): Promise<readonly MeasuredRow[]> {
  log(`  ${kind}: watching ${watched} writes`);
  const delays = await measureWatch(await newUrl(), watched);
  const watching = `${kind}: from a write in another process to the notification of a watcher, 95th percentile (median ${formatNumber(medianOf(delays))})`;
  const count = full ? kills.all : kills.some;
  log(`  ${kind}: killing ${count} writers in ${writesToKill} writes`);
  const report = await crashWriters({ url: await newUrl(), writes: writesToKill, kills: count, seed: 1 });
  const killing = `${kind}: ${report.kills} writers killed during ${formatNumber(writesToKill)} writes; acknowledged writes lost, or partial documents seen`;
  return [
    countRow(watching, 'ms', percentileOf(delays, 0.95), {}, atMost(50, 'ms')),
    countRow(killing, 'times', report.wrongStates + report.tornReads, {}, exactly(0)),
  ];
}
