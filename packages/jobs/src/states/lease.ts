import { leasedColumns, type LeasedJob } from '../ledger/job-row.ts';
import { fromNow, jobSignal, waitSignal, type Ledger } from '../ledger/ledger.ts';

/** Who leases jobs. */
export interface LeaseRequest {
  readonly queue: string;
  readonly worker: string;
  /** Names of the tools that the worker has. */
  readonly tools: readonly string[];
  /** Names of tools that the worker lacks, as far as it knows them. Grows with the tickets that it takes. */
  readonly missing: Set<string>;
  readonly leaseMs: number;
  readonly limit: number;
}

/** What a lease took. */
export interface Leases {
  readonly jobs: readonly LeasedJob[];
  /** Number of tickets that were consumed. Fewer than the limit means that the queue is empty. */
  readonly taken: number;
}

/** Takes tickets and leases their jobs in one transaction. Jobs whose tool the worker lacks wait for another worker. */
export async function leaseJobs(ledger: Ledger, request: LeaseRequest): Promise<Leases> {
  const { engine, tables, queue, channel } = ledger;
  const { worker, tools, leaseMs, limit } = request;
  return engine.transaction(async (transaction) => {
    const ids = await queue.take(transaction, request.queue, limit, [...request.missing]);
    if (ids.length === 0) return { jobs: [], taken: 0 };
    const jobs = await transaction.query<LeasedJob>(
      `with leased as (
        update ${tables.jobs} j set state = 'leased', attempt = attempt + 1, worker = $2, lease_ms = $3::integer,
          lease_until = ${fromNow('$3')}, waiting_for = null, called_at = null
        where id = any($1::uuid[]) and state = 'queued' and tool = any($4::text[])
        returning ${leasedColumns}, j.seq
      ), recorded as (
        insert into ${tables.events} (job, attempt, kind, data)
        select id, attempt, 'leased', json_build_object('worker', $2::text)::text from leased
      ) select * from leased order by priority desc, seq`,
      [ids, worker, leaseMs, tools],
    );
    if (jobs.length < ids.length) {
      const waiting = await transaction.query<{ tool: string }>(
        `with waiting as (
          update ${tables.jobs} set waiting_for = 'tool:' || tool, called_at = null
          where id = any($1::uuid[]) and state = 'queued' and not (tool = any($2::text[])) returning id, attempt, tool
        ), recorded as (
          insert into ${tables.events} (job, attempt, kind, data)
          select id, attempt, 'waiting', json_build_object('for', 'tool:' || tool)::text from waiting
        ) select tool, pg_notify('${channel}', '${jobSignal}' || id) from waiting`,
        [ids, tools],
      );
      for (const { tool } of waiting) request.missing.add(tool);
      if (waiting.length > 0) await transaction.query('select pg_notify($1, $2)', [channel, waitSignal]);
    }
    return { jobs, taken: ids.length };
  });
}
