import type { Queryable } from '../engine/engine.ts';
import { lockSpaces, type LimitSpace } from './admit.ts';
import { conflicts, footprintOfHolds, parseFootprint, type Hold } from './footprints.ts';
import { queueSignal, type Ledger } from '../ledger/ledger.ts';

/** A job that waits for a space. */
interface WaitingJob {
  readonly id: string;
  readonly queue: string;
  readonly tool: string;
  readonly priority: number;
  readonly footprint: string | null;
  readonly isCalled: boolean;
  /** Whether no worker has taken the job since it was called. */
  readonly isLeft: boolean;
}

/** Maximum number of waiting jobs that are examined at once. */
const maxExamined = 200;
/**
 * Time after which a called job that no worker takes, such as one in a queue without workers, no longer goes before
 * younger jobs.
 */
const calledMs = 60_000;

/** Lists the spaces that queued jobs wait for, such as `footprint:repo` or `tool:pay`. Reads one index row for each. */
export async function listWaits({ engine, tables }: Ledger): Promise<readonly string[]> {
  const nextWait = (after: string): string =>
    `select waiting_for as wait from ${tables.jobs} where waiting_for is not null and state = 'queued' ${after}
     order by waiting_for limit 1`;
  const rows = await engine.query<{ waitingFor: string }>(
    `with recursive found as (
      (${nextWait('')})
      union all
      select following.* from found cross join lateral (${nextWait('and waiting_for > found.wait')}) as following
    ) select wait as "waitingFor" from found`,
  );
  return rows.map(({ waitingFor }) => waitingFor);
}

/**
 * Gives tickets to jobs that wait for a space and could start now, the oldest first. This only affects speed: a job
 * that is called too early waits again.
 *
 * @param limit - the limit that the space belongs to. If omitted, the space belongs to a workspace or a tool.
 */
export async function wakeWaitingJobs(ledger: Ledger, space: string, limit?: LimitSpace): Promise<void> {
  const { engine, tables, queue, channel } = ledger;
  await engine.transaction(async (transaction) => {
    await lockSpaces(transaction, tables.schema, [space]);
    const waiting = await transaction.query<WaitingJob>(
      `select id, queue, tool, priority, footprint, called_at is not null as "isCalled", waiting_for not like 'tool:%'
         and coalesce(called_at < clock_timestamp() - ${calledMs} * interval '1 millisecond', false) as "isLeft"
       from ${tables.jobs} where waiting_for = $1 and state = 'queued' order by seq limit ${maxExamined} for update skip locked`,
      [space],
    );
    const left = waiting.filter(({ isLeft }) => isLeft);
    if (left.length > 0) {
      // They keep their tickets.
      await transaction.query(`update ${tables.jobs} set waiting_for = null where id = any($1::uuid[])`, [
        left.map(({ id }) => id),
      ]);
    }
    const others = waiting.filter(({ isLeft }) => !isLeft);
    if (others.length === 0) return;
    const chosen = (await choose(ledger, transaction, space, limit, others)).filter(({ isCalled }) => !isCalled);
    if (chosen.length === 0) return;
    await transaction.query(`update ${tables.jobs} set called_at = clock_timestamp() where id = any($1::uuid[])`, [
      chosen.map(({ id }) => id),
    ]);
    for (const name of new Set(chosen.map((job) => job.queue))) {
      const tickets = chosen
        .filter((job) => job.queue === name)
        .map(({ id, tool, priority }) => ({ job: id, tool, priority, isCalled: true }));
      await queue.issue(transaction, name, tickets);
      await transaction.query('select pg_notify($1, $2)', [channel, `${queueSignal}${name}`]);
    }
  });
}

async function choose(
  { tables }: Ledger,
  transaction: Queryable,
  space: string,
  limit: LimitSpace | undefined,
  waiting: readonly WaitingJob[],
): Promise<readonly WaitingJob[]> {
  const holds = await transaction.query<Hold>(
    `select key, is_write as "isWrite" from ${tables.holds} where space = $1`,
    [space],
  );
  if (limit !== undefined) return waiting.slice(0, Math.max(0, (limit.parallel ?? Infinity) - holds.length));
  const chosen: WaitingJob[] = [];
  const taken = [footprintOfHolds(holds)];
  for (const job of waiting) {
    const footprint = parseFootprint(job.footprint);
    if (footprint === null || !taken.some((other) => conflicts(footprint, other))) chosen.push(job);
    // A job that still waits goes before younger jobs that conflict with it.
    if (footprint !== null) taken.push(footprint);
  }
  return chosen;
}
