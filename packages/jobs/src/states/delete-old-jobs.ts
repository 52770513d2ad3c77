import { milliseconds, type Ledger } from '../ledger/ledger.ts';

/** Number of jobs that one statement deletes, so that it holds no locks for long. */
const batch = 1_000;

/**
 * Deletes jobs that ended before the retention time, with their events. `unknown` jobs stay until a person settles
 * them.
 */
export async function deleteOldJobs({ engine, tables }: Ledger, retentionMs: number): Promise<void> {
  for (let deleted = batch; deleted === batch;) {
    const rows = await engine.query(
      `with old as (
        select id from ${tables.jobs} where finished_at is not null and state in ('done', 'failed', 'cancelled')
          and ${milliseconds('finished_at')} < ${milliseconds('clock_timestamp()')} - $1::float8
        limit ${batch} for update skip locked
      ), gone as (delete from ${tables.events} using old where job = old.id),
      passed as (delete from ${tables.turns} using old where job = old.id),
      forgotten as (delete from ${tables.questions} using old where job = old.id)
      delete from ${tables.jobs} j using old where j.id = old.id returning j.id`,
      [retentionMs],
    );
    deleted = rows.length;
  }
}
