import type { JobInfo, JobState } from '../contracts/job.ts';
import { milliseconds } from './ledger.ts';

/** Identifies one attempt of a job. Every write of a worker carries it. */
export interface Attempt {
  readonly id: string;
  readonly attempt: number;
}

/** Checks for an ID of a job or a question. */
export function isId(text: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
}

/** The columns of {@link InfoRow}. */
export const infoColumns: string = `id, queue, workspace, key, tool, call_id as "callId", state, waiting_for as "waitingFor",
  priority, attempt, lost, worker, note, settled_by as "settledBy", ${milliseconds('created_at')} as "createdAt",
  ${milliseconds('started_at')} as "startedAt", ${milliseconds('finished_at')} as "finishedAt"`;

/** A job as the database returns it. */
export type InfoRow = { readonly [Name in keyof JobInfo]: Exclude<JobInfo[Name], undefined> | null };

/** Replaces null by undefined, and says what a job waits for. */
export function toJobInfo(row: InfoRow): JobInfo {
  const info = Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value ?? undefined]),
  ) as unknown as JobInfo;
  return info.waitingFor === undefined ? info : { ...info, waitingFor: describeWaiting(info.waitingFor) };
}

/** Describes the stored reason for which a job waits, such as `tool:pay`. */
function describeWaiting(stored: string): string {
  const [, kind = '', name = ''] = /^(tool|question|footprint|limit|rate:limit):(.*)$/s.exec(stored) ?? [];
  switch (kind) {
    case 'tool':
      return `a worker that has the tool ${name}`;
    case 'question':
      return `an answer to the question ${name}`;
    case 'footprint':
      return 'other calls that use the same files or resources';
    case 'limit':
      return `other calls, because of the limit of ${name}`;
    case 'rate:limit':
      return `the rate limit of ${name}`;
    default:
      return stored;
  }
}

/** How to handle a job whose worker is lost after the body started. */
export type IfLost = 'read-only' | 'retry' | 'recover' | 'unknown';

/** What earlier attempts of a job leave open. */
export interface EarlierAttempts {
  /** Null until an attempt has started. */
  readonly ifLost: IfLost | null;
  /** Whether the tool must find out whether an attempt had its effect. */
  readonly isRecovering: boolean;
}

/** Whether an attempt may have had an effect that no result reports. */
export function mayHaveRun({ ifLost, isRecovering }: EarlierAttempts): boolean {
  return isRecovering || (ifLost !== null && ifLost !== 'read-only');
}

/** A job that a worker has leased. */
export interface LeasedJob extends EarlierAttempts {
  readonly id: string;
  readonly queue: string;
  readonly workspace: string;
  readonly key: string | null;
  readonly tool: string;
  readonly call: string;
  readonly context: string;
  readonly schemaHash: string | null;
  readonly priority: number;
  readonly timeoutMs: number | null;
  readonly attempt: number;
  readonly cancelReason: string | null;
}

/** The columns of {@link LeasedJob}. */
export const leasedColumns = `j.id, j.queue, j.workspace, j.key, j.tool, j.call, j.context, j.schema_hash as "schemaHash", j.priority,
  j.timeout_ms as "timeoutMs", j.attempt, j.is_recovering as "isRecovering", j.if_lost as "ifLost",
  j.cancel_reason as "cancelReason"`;

/** States in which a job is over or waits for a person. */
export const endStates: readonly JobState[] = ['done', 'failed', 'cancelled', 'unknown'];
