import type { JobEvent, JobInfo, JobState } from '../contracts/job.ts';
import { infoColumns, toJobInfo, type InfoRow } from './job-row.ts';
import { milliseconds, type Ledger } from './ledger.ts';

/** The state of a job, with its result once it has one. */
export interface Outcome {
  readonly state: JobState;
  readonly result: string | null;
}

/** Reads the outcomes of jobs, `undefined` for one that does not exist. */
export async function readOutcomes(
  { engine, tables }: Ledger,
  ids: readonly string[],
): Promise<readonly (Outcome | undefined)[]> {
  const rows = await engine.prepared<Outcome & { id: string }>(
    `select id, state, result from ${tables.jobs} where id = any($1::uuid[])`,
    [ids],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id));
}

/** Reads the state of one job. */
export async function readInfo({ engine, tables }: Ledger, id: string): Promise<JobInfo | undefined> {
  const [row] = await engine.query<InfoRow>(`select ${infoColumns} from ${tables.jobs} where id = $1`, [id]);
  return row === undefined ? undefined : toJobInfo(row);
}

/** Reads the stored call of one job. */
export async function readCall({ engine, tables }: Ledger, id: string): Promise<string | undefined> {
  const [row] = await engine.query<{ call: string }>(`select call from ${tables.jobs} where id = $1`, [id]);
  return row?.call;
}

/** Selects the jobs to list. */
export interface ListOptions {
  readonly state?: JobState;
  readonly tool?: string;
  /** Default: 100. */
  readonly limit?: number;
}

/** Lists jobs, the newest first. */
export async function listJobs(
  { engine, tables }: Ledger,
  { state, tool, limit = 100 }: ListOptions,
): Promise<readonly JobInfo[]> {
  const rows = await engine.query<InfoRow>(
    `select ${infoColumns} from ${tables.jobs} where ($1::text is null or state = $1) and ($2::text is null or tool = $2)
     order by seq desc limit $3`,
    [state ?? null, tool ?? null, limit],
  );
  return rows.map(toJobInfo);
}

const eventsPerRead = 500;

/** Reads the events of a job after a number, in order. */
export async function readEvents({ engine, tables }: Ledger, id: string, after: number): Promise<readonly JobEvent[]> {
  const rows = await engine.query<Omit<JobEvent, 'data'> & { data: string }>(
    `select seq, kind, attempt, ${milliseconds('at')} as at, data from ${tables.events}
     where job = $1 and seq > $2 order by seq limit ${eventsPerRead}`,
    [id, after],
  );
  return rows.map((row) => ({ ...row, data: parseData(row.data) }));
}

function parseData(text: string): JobEvent['data'] {
  try {
    return JSON.parse(text) as JobEvent['data'];
  } catch {
    return { damaged: text };
  }
}

/** Numbers of jobs by state. */
export interface JobCounts extends Readonly<Record<Exclude<JobState, 'done' | 'failed' | 'cancelled'>, number>> {
  /** Queued jobs that wait for a lease, a limit or a tool. */
  readonly waiting: number;
  /** Age of the oldest job that could start now, in milliseconds. 0 if there is no such job. */
  readonly oldestMs: number;
}

/** Counts the jobs that are not over. */
export async function countJobs({ engine, tables }: Ledger): Promise<JobCounts> {
  const [row] = await engine.query<JobCounts>(
    `select count(*) filter (where state = 'queued')::integer as queued,
       count(*) filter (where state = 'queued' and waiting_for is not null)::integer as waiting,
       count(*) filter (where state = 'leased')::integer as leased,
       count(*) filter (where state = 'started')::integer as started,
       count(*) filter (where state = 'unknown')::integer as unknown,
       coalesce(extract(epoch from clock_timestamp() - min(greatest(created_at, start_after)) filter (
         where state = 'queued' and start_after <= clock_timestamp() and waiting_for is null)) * 1000, 0)::float8 as "oldestMs"
     from ${tables.jobs} where state in ('queued', 'leased', 'started', 'unknown')`,
  );
  return row ?? { queued: 0, waiting: 0, leased: 0, started: 0, unknown: 0, oldestMs: 0 };
}
