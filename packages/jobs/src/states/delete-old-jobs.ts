import { milliseconds, type Ledger } from '../ledger/ledger.ts';

/** Number of jobs that one statement deletes, so that it holds no locks for long. */
const batch = 1_000;

/**
 * The run that a job belongs to, by its key. Another worker that continues the run must find the results of its calls, so
 * that they do not run again.
 */
const runOfJob = `case when j.key ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/' then left(j.key, 36)::uuid end`;

/**
 * Deletes jobs that ended before the retention time, with their events. `unknown` jobs stay until a person settles
 * them, and the calls of a run stay until the run has ended.
 */
export async function deleteOldJobs({ engine, tables }: Ledger, retentionMs: number): Promise<void> {
  for (let deleted = batch; deleted === batch;) {
    const rows = await engine.query(
      `with old as (
        select j.id from ${tables.jobs} j where j.finished_at is not null and j.state in ('done', 'failed', 'cancelled')
          and ${milliseconds('j.finished_at')} < ${milliseconds('clock_timestamp()')} - $1::float8
          and not exists (select 1 from ${tables.jobs} r
            where r.id = ${runOfJob} and r.state not in ('done', 'failed', 'cancelled'))
        limit ${batch} for update of j skip locked
      ), gone as (delete from ${tables.events} using old where job = old.id),
      passed as (delete from ${tables.turns} using old where job = old.id),
      forgotten as (delete from ${tables.questions} using old where job = old.id)
      delete from ${tables.jobs} j using old where j.id = old.id returning j.id`,
      [retentionMs],
    );
    deleted = rows.length;
  }
}
