import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { versionOf } from '@haft-tooling/peers/version-of';
import { formatNumber } from '@haft-tooling/benchmark-page';
import type { Benchmark, BenchmarkOptions, MeasuredRow } from '@haft-tooling/measure';
import { countRow, medianOf } from '@haft-tooling/measure';
import { measureWatch } from './measure-watch.ts';
import { runDatabase } from './run-database.ts';
import type { Pace } from './run-database.ts';
import { loadStoreFixtures } from './store-fixtures.ts';
import type { CrashReport, PostgresCluster } from './store-fixtures.ts';

const embedded = 'SQLite file';
const shared = 'PostgreSQL';
const bareSqlite = `better-sqlite3 ${versionOf('better-sqlite3')} bare, as durable`;
const barePostgres = `pg ${versionOf('pg')} bare, one connection`;

const documents = 10_000;
/** A server is reached over a socket, and a tenth of the documents gives the same result. */
const documentsOfServer = 1_000;
const watched = 200;
const writesToKill = 1_000;
const kills = { some: 20, all: 100 };

/**
 * Measures documents in a file and on a server, compared with the databases alone; and the delays of watchers and the
 * losses of killed writers.
 */
export const storeBenchmark: Benchmark = {
  summary:
    'Documents in a SQLite file and in PostgreSQL: sets and gets compared with the databases alone, the delay of watchers, and the data after writers are killed.',
  async run(options) {
    const { postgresDirectory, createPostgresCluster, crashWriters } = await loadStoreFixtures();
    const cluster = postgresDirectory === undefined ? undefined : await createPostgresCluster();
    if (cluster === undefined) options.log('  there is no PostgreSQL here, so only files are measured');
    const places = createPlaces(cluster);
    try {
      const rows = await measurePace(options, places);
      rows.push(await measureWatching(options, places, embedded));
      if (cluster !== undefined) rows.push(await measureWatching(options, places, shared));
      const count = options.full ? kills.all : kills.some;
      for (const kind of cluster === undefined ? [embedded] : [embedded, shared]) {
        options.log(`  ${kind}: killing ${count} writers in ${writesToKill} writes`);
        const url = await places.url(kind);
        rows.push(toCrashRow(kind, await crashWriters({ url, writes: writesToKill, kills: count, seed: 1 }), options));
      }
      return rows;
    } finally {
      await places.remove();
      await cluster?.remove();
    }
  },
};

interface Places {
  /** A new folder, or the URL of a new schema. */
  make(kind: string): Promise<string>;
  /** The same, in the form that a store accepts. */
  url(kind: string): Promise<string>;
  remove(): Promise<void>;
}

function createPlaces(cluster: PostgresCluster | undefined): Places {
  const folders: string[] = [];
  let schemas = 0;
  const make: Places['make'] = async (kind) => {
    if (kind === embedded) {
      const folder = await mkdtemp(join(tmpdir(), 'haft-bench-store-'));
      folders.push(folder);
      return folder;
    }
    schemas += 1;
    await cluster?.execute(`create schema bench_${schemas}`);
    return `${cluster?.url()}&options=${encodeURIComponent(`-c search_path=bench_${schemas}`)}`;
  };
  return {
    make,
    url: async (kind) => (kind === embedded ? `file:${join(await make(kind), 'haft.db')}` : make(kind)),
    async remove() {
      await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
    },
  };
}

interface Contest {
  readonly kind: string;
  readonly databases: readonly (readonly [label: string, database: string])[];
  readonly count: number;
  /** The bar: the required share of the bare database's speed. Undefined without a bar. */
  readonly bar: number;
}

async function measurePace({ rounds, log, attach }: BenchmarkOptions, places: Places): Promise<MeasuredRow[]> {
  const files: Contest = {
    kind: embedded,
    databases: [
      ['Haft', 'haft'],
      [bareSqlite, 'better-sqlite3'],
    ],
    count: documents,
    bar: 0.5,
  };
  const paces = await raceKeepers(files, rounds, log, places);
  const rows = (['sets', 'gets'] as const).map((what): MeasuredRow => {
    const [haft = [], bare = []] = files.databases.map(([label]) => (paces.get(label) ?? []).map((pace) => pace[what]));
    const ratio = Math.max(...bare) / Math.max(...haft);
    return {
      what: `${formatNumber(documents)} ${what} in a file, one after the other`,
      unit: `${what} a second, median`,
      haft: Math.round(medianOf(haft)),
      peers: { [bareSqlite]: Math.round(medianOf(bare)) },
      bar: `≥ ${files.bar} × better-sqlite3, best rounds`,
      holds: 1 / ratio >= files.bar,
      ratios: { [bareSqlite]: Number(ratio.toPrecision(3)) },
    };
  });
  const others: Contest[] = [{ kind: embedded, databases: [['Haft, memory:', 'memory']], count: documents, bar: 0 }];
  if (await hasServer(places)) {
    const databases = [['Haft, postgres:', 'haft'] as const, [barePostgres, 'pg'] as const];
    others.push({ kind: shared, databases, count: documentsOfServer, bar: 0 });
  }
  const lines: string[] = [];
  for (const contest of others) {
    for (const [label, found] of await raceKeepers(contest, Math.min(rounds, 3), log, places)) {
      const [sets, gets] = (['sets', 'gets'] as const).map((what) =>
        Math.round(medianOf(found.map((one) => one[what]))),
      );
      lines.push(`| ${label} | ${formatNumber(sets ?? 0)} | ${formatNumber(gets ?? 0)} |`);
    }
  }
  attach(['**Elsewhere**, a second, median:', '', '| | sets | gets |', '|---|---:|---:|', ...lines].join('\n'));
  return rows;
}

async function hasServer(places: Places): Promise<boolean> {
  return !(await places.make(shared)).startsWith('undefined');
}

/** Measures each database once per round, alternating, each time in a new location. */
async function raceKeepers(
  { kind, databases, count }: Contest,
  rounds: number,
  log: BenchmarkOptions['log'],
  places: Places,
): Promise<ReadonlyMap<string, readonly Pace[]>> {
  const paces = new Map<string, Pace[]>(databases.map(([label]) => [label, []]));
  for (let round = 0; round < rounds; round += 1) {
    log(`  ${kind}: round ${round + 1} of ${rounds}`);
    const turn = round % 2 === 0 ? databases : databases.toReversed();
    for (const [label, database] of turn) {
      paces.get(label)?.push(await runDatabase(database, await places.make(kind), count));
    }
  }
  return paces;
}

async function measureWatching({ log }: BenchmarkOptions, places: Places, kind: string): Promise<MeasuredRow> {
  log(`  ${kind}: watching ${watched} writes`);
  const delays = await measureWatch(await places.url(kind), watched);
  const [median, most] = [medianOf(delays), delays[Math.floor(delays.length * 0.95)] ?? Infinity];
  const what = `${kind}: from a write in another process to the notification of a watcher, 95th percentile (median ${formatNumber(median)})`;
  return countRow(what, 'ms', Number(most.toPrecision(3)), {}, '≤ 50 ms', most <= 50);
}

function toCrashRow(kind: string, report: CrashReport, { attach }: BenchmarkOptions): MeasuredRow {
  const cells = [
    kind,
    report.kills,
    report.acknowledged,
    report.madeUnheard,
    report.wrongStates,
    report.tornReads,
    report.reads,
  ];
  const heads = [
    '',
    'killed',
    'acknowledged',
    'made, not acknowledged',
    'wrong states',
    'halves seen',
    'looks meanwhile',
  ];
  const lines = [heads, ['---', ...heads.slice(1).map(() => '---:')], cells].map((line) => `| ${line.join(' | ')} |`);
  attach([`**${kind}: writers killed with SIGKILL during ${writesToKill} writes**`, '', ...lines].join('\n'));
  const what = `${kind}: ${report.kills} writers killed during ${formatNumber(writesToKill)} writes; acknowledged writes lost, or partial documents seen`;
  const wrong = report.wrongStates + report.tornReads;
  return countRow(what, 'times', wrong, {}, '0', wrong === 0);
}
