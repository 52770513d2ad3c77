import type { Ticket } from '../ledger/ticket-queue.ts';
import { Backlogs, countBacklog, type Backlog } from '../holds/backlogs.ts';
import { fromNow, queueSignal, waitSignal, type Ledger } from '../ledger/ledger.ts';

/** A job to submit, after checks and serialization. */
export interface NewJob {
  readonly id: string;
  readonly queue: string;
  readonly workspace: string;
  readonly key: string | null;
  readonly tool: string;
  readonly callId: string;
  readonly call: string;
  readonly context: string;
  readonly schemaHash: string | null;
  readonly priority: number;
  readonly timeoutMs: number | null;
  /** Milliseconds from now. */
  readonly delayMs: number | null;
  readonly startAt: Date | null;
}

/** The job that a submission belongs to: the new one, or an earlier one with the same key. */
export interface Submitted {
  readonly id: string;
  readonly isNew: boolean;
  /** The call of an earlier job with the same key. */
  readonly call: string;
}

/**
 * Writes jobs and their tickets, in one statement for each queue. Can be repeated with the same jobs, because an
 * existing job is not created again and its second ticket has no effect.
 */
export async function submitJobs(
  ledger: Ledger,
  jobs: readonly NewJob[],
  backlogs: Backlogs = new Backlogs(),
): Promise<readonly Submitted[]> {
  const created = new Set<string>();
  for (const name of new Set(jobs.map(({ queue }) => queue))) {
    const ofQueue = jobs.filter(({ queue }) => queue === name);
    for (const id of await createJobs(ledger, name, ofQueue, backlogs)) created.add(id);
  }
  const repeated = jobs.filter(({ id }) => !created.has(id));
  const earlier = repeated.length === 0 ? [] : await readEarlier(ledger, repeated);
  return jobs.map((job) => {
    if (created.has(job.id)) return { id: job.id, isNew: true, call: job.call };
    const found = earlier.find((row) => row.id === job.id) ?? earlier.find((row) => isSameWork(row, job));
    if (found === undefined) throw new Error(`the job ${job.id} was neither created nor found`);
    return { id: found.id, isNew: false, call: found.call };
  });
}

/** Returns the IDs of the jobs that did not exist. */
async function createJobs(
  { engine, tables, queue, channel }: Ledger,
  name: string,
  jobs: readonly NewJob[],
  backlogs: Backlogs,
): Promise<readonly string[]> {
  await queue.ensure(name);
  const placed = backlogs.place(jobs);
  const ready = placed.filter(({ hasTicket }) => hasTicket !== false);
  const signals = [
    ...(ready.length > 0 ? [`${queueSignal}${name}`] : []),
    ...(ready.length < placed.length ? [waitSignal] : []),
  ];
  // Without tickets, pg-boss would create a different statement.
  const issuing = ready.length === 0 ? undefined : await queue.issuing(name, ready.map(ticketOf));
  const given = `$${(issuing?.values.length ?? 0) + 1}`;
  const rows = await engine.prepared<{ id: string | null; backlogs: readonly Backlog[] | null }>(
    `with created as (
      insert into ${tables.jobs} (id, queue, workspace, key, tool, call_id, call, context, schema_hash, priority,
        timeout_ms, start_after, has_ticket)
      select id, queue, workspace, key, tool, "callId", call, context, "schemaHash", priority, "timeoutMs",
        coalesce("startAt", ${fromNow('coalesce("delayMs", 0)')}), "hasTicket"
      from json_to_recordset(${given}::json) as (id uuid, queue text, workspace text, key text, tool text, "callId" text,
        call text, context text, "schemaHash" text, priority integer, "timeoutMs" float8, "delayMs" float8,
        "startAt" timestamptz, "hasTicket" boolean)
      on conflict do nothing
      returning id, workspace, priority
    ), ${issuing === undefined ? '' : `issued as (${issuing.text}),`}
    recorded as (insert into ${tables.events} (job, attempt, kind, data) select id, 0, 'queued', '{}' from created),
    announced as (select ${signals.map((signal) => `pg_notify('${channel}', '${signal}')`).join(', ')}),
    backlogs as (
      select workspace, priority, (${countBacklog(tables, name, 'g.workspace', 'g.priority')}) + added as length
      from (select workspace, priority, count(*)::integer as added from created group by 1, 2) as g
    ) select id, (select true from announced), null as backlogs from created
      union all select null, null, json_agg(backlogs) from backlogs`,
    [...(issuing?.values ?? []), JSON.stringify(placed)],
  );
  backlogs.note(
    name,
    rows.flatMap((row) => row.backlogs ?? []),
  );
  return rows.flatMap(({ id }) => id ?? []);
}

function readEarlier({ engine, tables }: Ledger, jobs: readonly NewJob[]): Promise<readonly EarlierJob[]> {
  return engine.query<EarlierJob>(
    `select j.id, j.workspace, j.tool, j.key, j.call from ${tables.jobs} j
     join json_to_recordset($1::json) as g (id uuid, workspace text, tool text, key text)
       on j.id = g.id or (j.workspace = g.workspace and j.tool = g.tool and j.key = g.key)`,
    [JSON.stringify(jobs)],
  );
}

interface EarlierJob {
  readonly id: string;
  readonly workspace: string;
  readonly tool: string;
  readonly key: string | null;
  readonly call: string;
}

function isSameWork(row: EarlierJob, job: NewJob): boolean {
  return job.key !== null && row.key === job.key && row.tool === job.tool && row.workspace === job.workspace;
}

function ticketOf({ id, tool, priority, delayMs, startAt }: NewJob): Ticket {
  return { job: id, tool, priority, startAfter: startAt ?? delayMs ?? undefined };
}
