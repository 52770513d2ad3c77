import type { JobInfo } from '../contracts/job.ts';
import { endSignal, jobSignal, queueSignal, type Ledger } from '../ledger/ledger.ts';
import { judgeLost, type LostJob, type Verdict } from './judge-lost.ts';
import { cancelled, givenUp, serializeResult, unknownOutcome, type NamedCall } from './state-results.ts';

interface LostRow extends LostJob, NamedCall, Pick<JobInfo, 'id' | 'queue' | 'priority'> {}

/**
 * Finds jobs whose workers were lost, and moves them to their next state. Any worker may call it at any time. After a
 * restart of the database, every worker has the time of its lease to report again.
 *
 * @param isEverythingLost - true if no other worker can exist, so that all leases have ended.
 */
export async function takeOverLost(ledger: Ledger, isEverythingLost = false): Promise<number> {
  const { engine, tables } = ledger;
  const isOver = `greatest(lease_until, pg_postmaster_start_time() + lease_ms * interval '1 millisecond') < clock_timestamp()`;
  // Starts no transaction unless a job was lost, which is rare.
  const lost = `select 1 from ${tables.jobs} where state in ('leased', 'started') and ${isEverythingLost ? 'true' : isOver} limit 1`;
  if ((await engine.query(lost)).length === 0) return 0;
  return engine.transaction(async (transaction) => {
    const rows = await transaction.query<LostRow>(
      `select id, queue, priority, tool, call_id as "callId", state, attempt, lost + 1 as lost, if_lost as "ifLost",
         is_recovering as "isRecovering", cancel_reason as "cancelReason"
       from ${tables.jobs} where state in ('leased', 'started') and ${isEverythingLost ? 'true' : isOver}
       order by seq limit 200 for update skip locked`,
    );
    if (rows.length === 0) return 0;
    const verdicts = rows.map((row) => ({ row, verdict: judgeLost(row) }));
    const changes = await Promise.all(verdicts.map(({ row, verdict }) => changeOf(row, verdict)));
    await transaction.query(
      `with given as (
        select * from json_to_recordset($1::json)
          as (id uuid, state text, lost integer, "isRecovering" boolean, result text, note text, kind text, data text)
      ), changed as (
        update ${tables.jobs} j set state = given.state, lost = given.lost, is_recovering = given."isRecovering",
          result = given.result, note = given.note, lease_until = null,
          finished_at = case when given.state = 'queued' then null else clock_timestamp() end
        from given where j.id = given.id
        returning j.id, j.attempt, j.state, given.kind, given.data
      ), released as (delete from ${tables.holds} using changed where job = changed.id)
      , recorded as (
        insert into ${tables.events} (job, attempt, kind, data) select id, attempt, kind, data from changed
      ) select pg_notify('${ledger.channel}', case when state = 'queued' then '${jobSignal}' else '${endSignal}' end || id)
        from changed`,
      [JSON.stringify(changes)],
    );
    const requeued = verdicts.filter(({ verdict }) => verdict.state === 'queued').map(({ row }) => row);
    for (const name of new Set(requeued.map(({ queue }) => queue))) {
      const tickets = requeued
        .filter(({ queue }) => queue === name)
        .map(({ id, tool, priority }) => ({ job: id, tool, priority }));
      await ledger.queue.issue(transaction, name, tickets);
      await transaction.query('select pg_notify($1, $2)', [ledger.channel, `${queueSignal}${name}`]);
    }
    return rows.length;
  });
}

async function changeOf(row: LostRow, verdict: Verdict): Promise<Readonly<Record<string, unknown>>> {
  const { id, lost, isRecovering } = row;
  if (verdict.state === 'queued') {
    const data = JSON.stringify({ reason: 'its worker was lost' });
    return { id, lost, state: 'queued', isRecovering: verdict.isRecovering, kind: 'requeued', data };
  }
  const { state, reason } = verdict;
  const make = state === 'unknown' ? unknownOutcome : state === 'cancelled' ? cancelled : givenUp;
  const result = await serializeResult(make(row, reason));
  return { id, lost, state, isRecovering, result, note: reason, kind: state, data: JSON.stringify({ reason }) };
}
