import { isInBacklog, maxReady } from './backlogs.ts';
import { queueSignal, type Ledger } from '../ledger/ledger.ts';
import { lockSpaces, footprintSpace } from './admit.ts';

/** The jobs of a workspace in a queue. */
export interface BacklogName {
  readonly queue: string;
  readonly workspace: string;
}

/** A backlog gets tickets when fewer of its jobs have one. */
const minReady = maxReady / 2;
/** A workspace gets no further tickets while this number of its jobs wait for a footprint. */
const maxHeld = 200;

/** Lists the backlogs of queues with jobs that have no ticket yet. Reads one row of the index for each. */
export async function listBacklogs(
  { engine, tables }: Ledger,
  queues: readonly string[],
): Promise<readonly BacklogName[]> {
  const next = (after: string): string =>
    `select queue, workspace from ${tables.jobs} where state = 'queued' and not has_ticket and queue = any($1::text[])
     ${after} order by queue, workspace limit 1`;
  return engine.query<BacklogName>(
    `with recursive found as (
      (${next('')})
      union all
      select following.* from found cross join lateral (
        ${next('and (queue, workspace) > (found.queue, found.workspace)')}
      ) as following
    ) select queue, workspace from found`,
    [queues],
  );
}

/** Gives tickets to the first jobs of a backlog. Returns whether jobs without a ticket are left. */
export async function refillBacklog(ledger: Ledger, { queue: name, workspace }: BacklogName): Promise<boolean> {
  const { engine, tables, queue, channel } = ledger;
  return engine.transaction(async (transaction) => {
    await lockSpaces(transaction, tables.schema, [`backlog:${name}:${workspace}`]);
    const [held] = await transaction.query<{ count: number }>(
      `select count(*)::integer as count from (
        select 1 from ${tables.jobs} where waiting_for = $1 and state = 'queued' limit ${maxHeld}) as found`,
      [footprintSpace(workspace)],
    );
    if ((held?.count ?? 0) >= maxHeld) return true;
    const first = await transaction.query<{ id: string; tool: string; priority: number; hasTicket: boolean }>(
      `select id, tool, priority, has_ticket as "hasTicket" from ${tables.jobs}
       where queue = $1 and workspace = $2 and ${isInBacklog} order by priority desc, seq limit ${maxReady}`,
      [name, workspace],
    );
    const chosen = first.filter(({ hasTicket }) => !hasTicket);
    if (chosen.length === 0) return first.length === maxReady;
    if (first.length - chosen.length >= minReady) return true;
    const given = await transaction.query<{ id: string }>(
      `update ${tables.jobs} set has_ticket = true where id = any($1::uuid[]) and state = 'queued' returning id`,
      [chosen.map(({ id }) => id)],
    );
    const ids = new Set(given.map(({ id }) => id));
    const tickets = chosen
      .filter(({ id }) => ids.has(id))
      .map(({ id, tool, priority }) => ({ job: id, tool, priority }));
    if (tickets.length > 0) await queue.issue(transaction, name, tickets);
    await transaction.query('select pg_notify($1, $2)', [channel, `${queueSignal}${name}`]);
    return first.length === maxReady;
  });
}
