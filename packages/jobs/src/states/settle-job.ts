import type { Settlement } from '../contracts/job.ts';
import { JobsError } from '../jobs-error.ts';
import { cancelSignal, endSignal, jobSignal, queueSignal, type Ledger } from '../ledger/ledger.ts';
import { isId, mayHaveRun, type EarlierAttempts } from '../ledger/job-row.ts';
import { cancelled, serializeResult, settledResult, unknownOutcome, type NamedCall } from './state-results.ts';

/**
 * Ends an `unknown` job, or runs it again, as a person decided.
 *
 * @throws JobsError `UNKNOWN_JOB`, or `NOT_UNKNOWN` if the job has another state, for example because another person
 *   was faster.
 */
export async function settleJob(ledger: Ledger, id: string, settlement: Settlement): Promise<void> {
  const { engine, tables, queue, channel } = ledger;
  const { as, by, result } = settlement;
  await engine.transaction(async (transaction) => {
    const [row] = await transaction.query<NamedCall & { state: string; queue: string; priority: number }>(
      `select state, queue, priority, tool, attempt, call_id as "callId" from ${tables.jobs} where id = $1 for update`,
      [id],
    );
    if (row === undefined) throw unknownJob(id);
    if (row.state !== 'unknown')
      throw new JobsError('NOT_UNKNOWN', `settle: the job ${id} is ${row.state} (expected unknown)`);
    const note = `${by} settled it as ${as}`;
    if (as === 'retry') {
      await transaction.query(
        `update ${tables.jobs} set state = 'queued', lost = 0, if_lost = null, is_recovering = false, cancel_reason = null,
           result = null, note = $2, settled_by = $3, finished_at = null where id = $1`,
        [id, note, by],
      );
      await queue.issue(transaction, row.queue, [{ job: id, tool: row.tool, priority: row.priority }]);
    } else {
      const final = result ?? settledResult(row, as, by);
      await transaction.query(
        `update ${tables.jobs} set state = $2, result = $3, note = $4, settled_by = $5, finished_at = clock_timestamp()
         where id = $1`,
        [id, as, await serializeResult(final), note, by],
      );
    }
    await transaction.query(`insert into ${tables.events} (job, attempt, kind, data) values ($1, $2, 'settled', $3)`, [
      id,
      row.attempt,
      JSON.stringify({ as, by }),
    ]);
    await transaction.query('select pg_notify($1, $2), pg_notify($1, $3)', [
      channel,
      `${as === 'retry' ? jobSignal : endSignal}${id}`,
      `${queueSignal}${row.queue}`,
    ]);
  });
}

interface CancelledRow extends NamedCall, EarlierAttempts {
  readonly state: string;
  readonly isRun: boolean;
}

/** Cancels a queued job, or asks the worker of a running one to abort it. Does nothing if the job is over. */
export async function cancelJob(ledger: Ledger, id: string, reason: string): Promise<void> {
  const { engine, tables, channel } = ledger;
  await engine.transaction(async (transaction) => {
    const [row] = await transaction.query<CancelledRow>(
      `select state, tool, attempt, call_id as "callId", if_lost as "ifLost", is_recovering as "isRecovering",
         exists (select 1 from ${tables.turns} where job = $1) as "isRun"
       from ${tables.jobs} where id = $1 for update`,
      [id],
    );
    if (row === undefined) throw unknownJob(id);
    const isAtOnce = row.state === 'queued' && !row.isRecovering;
    // The effects of a run are those of its calls, which are jobs of their own.
    const state = mayHaveRun(row) && !row.isRun ? 'unknown' : 'cancelled';
    if (isAtOnce) {
      const result =
        state === 'cancelled'
          ? cancelled(row, reason)
          : unknownOutcome(row, `an attempt was interrupted, and then it was cancelled (${reason})`);
      await transaction.query(
        `update ${tables.jobs} set state = $4, cancel_reason = $2, waiting_for = null, result = $3, note = $2,
           finished_at = clock_timestamp() where id = $1`,
        [id, reason, await serializeResult(result), state],
      );
    } else if (['queued', 'leased', 'started'].includes(row.state)) {
      await transaction.query(`update ${tables.jobs} set cancel_reason = coalesce(cancel_reason, $2) where id = $1`, [
        id,
        reason,
      ]);
    } else {
      return;
    }
    await transaction.query(`insert into ${tables.events} (job, attempt, kind, data) values ($1, $2, $3, $4)`, [
      id,
      row.attempt,
      isAtOnce ? state : 'cancel-requested',
      JSON.stringify({ reason }),
    ]);
    await transaction.query('select pg_notify($1, $2)', [channel, `${isAtOnce ? endSignal : cancelSignal}${id}`]);
  });
}

/** @throws JobsError `UNKNOWN_JOB` if the ID can't belong to a job. */
export function checkJobId(id: string): void {
  if (!isId(id)) throw unknownJob(id);
}

/** Creates the error for an ID that does not belong to a job. */
export function unknownJob(id: string): JobsError {
  return new JobsError('UNKNOWN_JOB', `the job ${JSON.stringify(id)} does not exist`);
}
