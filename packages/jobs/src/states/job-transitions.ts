import type { JobState } from '../contracts/job.ts';
import type { Attempt, IfLost } from '../ledger/job-row.ts';
import type { Tables } from '../ledger/tables.ts';
import { endSignal, fromNow, jobSignal, queueSignal, type Ledger } from '../ledger/ledger.ts';

/**
 * Locks the rows with the IDs of the second parameter in the order of their IDs, so that two statements never wait for
 * each other.
 */
function lockGiven({ jobs }: Tables): string {
  return `locked as (select id, state as before from ${jobs} where id = any($2::uuid[]) order by id for update)`;
}

/** The parameters of a statement for several attempts: the attempts, and their IDs. */
function valuesOf(attempts: readonly Attempt[]): readonly [members: string, ids: readonly string[]] {
  return [JSON.stringify(attempts), attempts.map(({ id }) => id)];
}

/** Identifies an attempt. One statement may have several attempts of a job. */
function nameOf({ id, attempt }: Attempt): string {
  return `${id} ${attempt}`;
}

/**
 * Whether a body may run. `cancelled`: the attempt holds its job, but the job was cancelled. `lost`: the attempt no
 * longer holds its job.
 */
export type Start = 'started' | 'cancelled' | 'lost';

/**
 * Records that bodies are about to run. Returns for each attempt whether its body may run. Can be repeated, and renews the
 * lease each time.
 */
export async function startJobs(
  { engine, tables }: Ledger,
  starts: readonly (Attempt & { readonly ifLost: IfLost })[],
): Promise<readonly Start[]> {
  const rows = await engine.prepared<Attempt & { start: Start }>(
    `with given as (select * from json_to_recordset($1::json) as (id uuid, attempt integer, "ifLost" text)),
    ${lockGiven(tables)},
    started as (
      update ${tables.jobs} j set state = 'started', if_lost = given."ifLost", is_recovering = false,
        started_at = clock_timestamp(), lease_until = clock_timestamp() + lease_ms * interval '1 millisecond'
      from given join locked using (id) where j.id = any($2::uuid[]) and j.id = given.id and j.attempt = given.attempt
        and j.state in ('leased', 'started') and j.cancel_reason is null
      returning j.id, j.attempt, locked.before
    ), recorded as (
      insert into ${tables.events} (job, attempt, kind, data) select id, attempt, 'started', '{}' from started
        where before = 'leased'
    ) select id, attempt, 'started' as start from started
      union all select j.id, j.attempt, 'cancelled' from given join ${tables.jobs} j
        on j.id = any($2::uuid[]) and j.id = given.id and j.attempt = given.attempt and j.state in ('leased', 'started') and j.cancel_reason is not null`,
    valuesOf(starts),
  );
  const found = new Map(rows.map((row) => [nameOf(row), row.start]));
  return starts.map((start) => found.get(nameOf(start)) ?? 'lost');
}

/** The end of an attempt. */
export interface Ending extends Attempt {
  readonly state: Extract<JobState, 'done' | 'failed' | 'cancelled' | 'unknown'>;
  /** The stored result as JSON. */
  readonly result: string;
  readonly note: string | null;
}

/**
 * Records results and releases what the jobs hold. Returns, for each attempt, whether it still held its job. If it did
 * not, its result is stored as an event, for the person who settles the job.
 */
export async function finishJobs(
  { engine, tables, channel }: Ledger,
  endings: readonly Ending[],
): Promise<readonly boolean[]> {
  const rows = await engine.prepared<Attempt>(
    `with given as (
      select * from json_to_recordset($1::json) as (id uuid, attempt integer, state text, result text, note text)
    ), ${lockGiven(tables)}, finished as (
      update ${tables.jobs} j set state = given.state, result = given.result, note = given.note, lease_until = null,
        finished_at = clock_timestamp()
      from given join locked using (id) where j.id = any($2::uuid[]) and j.id = given.id and j.attempt = given.attempt
        and (j.state in ('leased', 'started') or (j.state = given.state and j.result = given.result))
      returning j.id, j.attempt, j.state
    ), released as (delete from ${tables.holds} where job = any($2::uuid[]) and job in (select id from finished)),
    recorded as (
      insert into ${tables.events} (job, attempt, kind, data) select id, attempt, state, '{}' from finished
      union all select id, attempt, 'late-result', json_build_object('result', result)::text from given
        where not exists (select 1 from finished f where f.id = given.id and f.attempt = given.attempt)
    ) select id, attempt, pg_notify('${channel}', '${endSignal}' || id) from finished`,
    valuesOf(endings),
  );
  const held = new Set(rows.map(nameOf));
  return endings.map((ending) => held.has(nameOf(ending)));
}

/** Announces changes of running jobs to other processes. */
export async function announceJobs({ engine, channel }: Ledger, ids: readonly string[]): Promise<readonly undefined[]> {
  await engine.prepared(`select pg_notify('${channel}', '${jobSignal}' || id) from unnest($1::text[]) as given (id)`, [
    ids,
  ]);
  return ids.map(() => undefined);
}

/** Records progress of attempts that still hold their jobs. */
export async function recordProgress(
  { engine, tables, channel }: Ledger,
  updates: readonly (Attempt & { readonly data: string })[],
): Promise<readonly undefined[]> {
  await engine.prepared(
    `with given as (select * from json_to_recordset($1::json) as (id uuid, attempt integer, data text)),
    recorded as (
      insert into ${tables.events} (job, attempt, kind, data)
      select given.id, given.attempt, 'progress', given.data from given join ${tables.jobs} j
        on j.id = any($2::uuid[]) and j.id = given.id and j.attempt = given.attempt and j.state = 'started'
      returning job
    ) select pg_notify('${channel}', '${jobSignal}' || job) from (select distinct job from recorded) as changed`,
    valuesOf(updates),
  );
  return updates.map(() => undefined);
}

/** A renewed lease. */
export interface Renewal {
  readonly id: string;
  readonly cancelReason: string | null;
}

/** Renews the leases of the attempts that still hold their jobs. Returns only these attempts. */
export async function renewLeases(
  { engine, tables }: Ledger,
  attempts: readonly Attempt[],
  leaseMs: number,
): Promise<readonly Renewal[]> {
  return engine.prepared<Renewal>(
    `with given as (select * from json_to_recordset($1::json) as (id uuid, attempt integer)),
    ${lockGiven(tables)}
    update ${tables.jobs} j set lease_until = ${fromNow('$3')}
    from given join locked using (id) where j.id = any($2::uuid[]) and j.id = given.id and j.attempt = given.attempt
      and j.state in ('leased', 'started')
    returning j.id, j.cancel_reason as "cancelReason"`,
    [...valuesOf(attempts), leaseMs],
  );
}

/**
 * Queues the job of an attempt again, if the attempt still holds it and the body has not started, or a second run has no
 * further effect. (`recover` can't judge a body that may still be running.) Does not count the worker as lost.
 */
export async function handBack(ledger: Ledger, { id, attempt }: Attempt): Promise<boolean> {
  const { engine, tables, queue, channel } = ledger;
  return engine.transaction(async (transaction) => {
    const [row] = await transaction.query<{ queue: string; tool: string; priority: number }>(
      `update ${tables.jobs} set state = 'queued', lease_until = null
       where id = $1 and attempt = $2 and cancel_reason is null
         and (state = 'leased' or (state = 'started' and if_lost in ('read-only', 'retry')))
       returning queue, tool, priority`,
      [id, attempt],
    );
    if (row === undefined) return false;
    await transaction.query(`delete from ${tables.holds} where job = $1`, [id]);
    await transaction.query(`insert into ${tables.events} (job, attempt, kind, data) values ($1, $2, 'requeued', $3)`, [
      id,
      attempt,
      JSON.stringify({ reason: 'the worker stopped' }),
    ]);
    await queue.issue(transaction, row.queue, [{ job: id, tool: row.tool, priority: row.priority }]);
    await transaction.query('select pg_notify($1, $2)', [channel, `${queueSignal}${row.queue}`]);
    return true;
  });
}
