/**
 * Measures durable calls on one PostgreSQL with 1, 2 and 4 worker processes, for `docs/scaling.md`: jobs per second, the
 * processor time of the server and of the workers per job, and the bytes that a job leaves.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { openJobs } from '@haft/jobs';
import pg from 'pg';
import { startModule } from '@haft-tooling/measure';
import { loadStoreFixtures } from '../store/store-fixtures.ts';

const { createPostgresCluster } = await loadStoreFixtures();
const cluster = await createPostgresCluster();
const client = new pg.Client({ connectionString: cluster.url() });
await client.connect();
const ask = async (text: string): Promise<number> => Number((await client.query(text)).rows[0].value);
const postmaster = await ask(`select split_part(pg_read_file('postmaster.pid'), e'\\n', 1) as value`);
const program = new URL('host-process.ts', import.meta.url);

/** Processor time in milliseconds of the server, with the processes that have ended. */
function serverTime(): number {
  let ticks = 0;
  for (const pid of readdirSync('/proc').map(Number).filter(Number.isInteger)) {
    let stat = '';
    try {
      stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    } catch {
      // The process has just ended.
    }
    const fields = stat
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    const sum = (from: number, to: number): number => fields.slice(from, to).reduce((total, one) => total + one, 0);
    if (pid === postmaster) ticks += sum(11, 15);
    else if (fields[1] === postmaster) ticks += sum(11, 13);
  }
  return ticks * 10;
}

async function measure(workers: number, parallel: number, bodyMs: number, count: number): Promise<void> {
  const schema = `scale_${workers}_${bodyMs}`;
  const url = cluster.url();
  const jobs = await openJobs({ url, schema, timeoutMs: 60_000 });
  const hosts = Array.from({ length: workers }, () => startModule(program, [url, schema, `${parallel}`]));
  await Promise.all(hosts.map((host) => host.line(/^ready$/)));
  const run = async (amount: number): Promise<void> => {
    const call = { id: 'call_1', name: 'wait', arguments: { ms: bodyMs } };
    const submitted = await Promise.all(Array.from({ length: amount }, () => jobs.submit(call)));
    await Promise.all(submitted.map((job) => job.result()));
  };
  await run(200);
  const [size, wal] = [`select pg_database_size('postgres') as value`, `select pg_current_wal_lsn() - '0/0' as value`];
  const before = [serverTime(), await ask(size), await ask(wal), performance.now()] as const;
  await run(count);
  const seconds = (performance.now() - before[3]) / 1_000;
  const values = [
    workers,
    parallel,
    bodyMs,
    Math.round(count / seconds),
    ((serverTime() - before[0]) / count).toFixed(2),
    Math.round(((await ask(size)) - before[1]) / count),
    Math.round(((await ask(wal)) - before[2]) / count),
  ];
  const ended = hosts.map(async (host) => {
    await host.end();
    return Number((await host.line(/^cpu (.*)/))[1]);
  });
  const cpu = (await Promise.all(ended)).reduce((sum, ms) => sum + ms, 0);
  process.stdout.write(`| ${values.join(' | ')} | ${(cpu / (count + 200)).toFixed(2)} |\n`);
  await jobs.close();
}

const titles =
  'workers | parallel jobs each | body (ms) | jobs a second | server CPU (ms a job) | disk (bytes a job) | log (bytes a job) | worker CPU (ms a job)';
process.stdout.write(`| ${titles} |\n|${'---:|'.repeat(8)}\n`);
for (const workers of [1, 2, 4]) await measure(workers, 16, 0, 2_000);
for (const workers of [1, 2, 4]) await measure(workers, 16, 100, workers * 400);
await client.end();
await cluster.remove();
