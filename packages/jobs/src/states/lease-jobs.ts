import { leasedColumns, type LeasedJob } from '../ledger/job-row.ts';
import { fromNow, jobSignal, waitSignal, type Ledger } from '../ledger/ledger.ts';

/** The worker that leases jobs. */
export interface LeaseRequest {
  readonly queue: string;
  readonly worker: string;
  /** Names of the tools that the worker has. */
  readonly tools: readonly string[];
  /** Known names of tools that the worker lacks. Grows with the tickets that it takes. */
  readonly missing: Set<string>;
  readonly leaseMs: number;
  readonly limit: number;
}

/** The jobs that were leased. */
export interface Leases {
  readonly jobs: readonly LeasedJob[];
  /** Number of tickets that were consumed. Fewer than the limit means that the queue is empty. */
  readonly taken: number;
}

/**
 * Takes tickets and leases their jobs in one statement. Jobs whose tool the worker lacks wait for another worker.
 */
export async function leaseJobs({ engine, tables, queue, channel }: Ledger, request: LeaseRequest): Promise<Leases> {
  const { worker, tools, leaseMs, limit, missing } = request;
  const taking = await queue.taking(request.queue, limit, [...missing]);
  const [workerAt, leaseAt, toolsAt] = [1, 2, 3].map((index) => `$${taking.values.length + index}`);
  const rows = await engine.prepared<TakenRow>(
    `with ticket as (${taking.text}),
    taken as (select min(id::text) as ticket, (data->>'job')::uuid as job from ticket group by 2),
    leased as (
      update ${tables.jobs} j set state = 'leased', attempt = attempt + 1, worker = ${workerAt}, lease_ms = ${leaseAt}::integer,
        lease_until = ${fromNow(leaseAt!)}, waiting_for = null, called_at = null
      where j.id = any(array(select job from taken)) and j.state = 'queued' and j.tool = any(${toolsAt}::text[])
      returning ${leasedColumns}, j.seq
    ), waiting as (
      update ${tables.jobs} j set waiting_for = 'tool:' || tool, called_at = null
      where j.id = any(array(select job from taken)) and j.state = 'queued' and not (j.tool = any(${toolsAt}::text[]))
      returning j.id, j.attempt, j.tool
    ), recorded as (
      insert into ${tables.events} (job, attempt, kind, data)
      select id, attempt, 'leased', json_build_object('worker', ${workerAt}::text)::text from leased
      union all select id, attempt, 'waiting', json_build_object('for', 'tool:' || tool)::text from waiting
    ) select ticket.id as ticket, leased.*, waiting.tool as "missingTool",
      pg_notify('${channel}', '${jobSignal}' || waiting.id), pg_notify('${channel}', '${waitSignal}' || left(waiting.tool, 0))
    from ticket left join taken on taken.ticket = ticket.id::text left join leased on leased.id = taken.job
      left join waiting on waiting.id = taken.job
    order by leased.priority desc, leased.seq`,
    [...taking.values, worker, leaseMs, tools],
  );
  if (rows.length > 0)
    queue.forget(
      request.queue,
      rows.map(({ ticket }) => ticket),
    );
  for (const { missingTool } of rows) if (missingTool !== null) missing.add(missingTool);
  return { jobs: rows.filter(isLeased), taken: rows.length };
}

/** A consumed ticket, with its job if it was leased, or its tool if the worker lacks it. */
type TakenRow = { readonly ticket: string; readonly missingTool: string | null } & (LeasedJob | { readonly id: null });

function isLeased(row: TakenRow): row is TakenRow & LeasedJob {
  return row.id !== null;
}
