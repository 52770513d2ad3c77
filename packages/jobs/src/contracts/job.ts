import type { CallContext, ToolCall, ToolResult } from '@haft/core';

/**
 * The state of a job. `queued` also covers jobs that wait for a limit, a lease or a tool. A job is over when it is
 * `done`, `failed` or `cancelled`. An `unknown` job waits for `settle`.
 */
export type JobState = 'queued' | 'leased' | 'started' | 'done' | 'failed' | 'cancelled' | 'unknown';

/** Members of a call's context that are stored with a job. Objects and functions cannot be stored. */
export type StoredContext = Pick<
  CallContext,
  'sessionId' | 'runId' | 'turn' | 'messageId' | 'inferenceId' | 'parentCallId' | 'modelName'
>;

/** Options of `submit`. */
export interface SubmitOptions {
  /** Queue of the job. Default: `default`. */
  readonly queue?: string;
  /**
   * Identifies the work: of several submissions with the same workspace, tool and key, only the first creates a job.
   * The body receives the key as `context.idempotencyKey`. Default: the job's ID.
   */
  readonly key?: string;
  /** Jobs with a higher priority start first. Default: 0. */
  readonly priority?: number;
  /** Time limit of the body in milliseconds. Default: that of the tool. */
  readonly timeoutMs?: number;
  /** Footprints of different workspaces never conflict. Default: the empty name. */
  readonly workspace?: string;
  /** A time, or milliseconds from now by the clock of the database. Default: at once. */
  readonly startAfter?: Date | number;
  /** Hash of the schema that the caller has seen. Default: none. */
  readonly schemaHash?: string;
  readonly context?: StoredContext;
}

/** Options of `asToolSource`. */
export interface ToolSourceOptions extends Pick<SubmitOptions, 'queue' | 'workspace' | 'priority'> {
  /** Returns the key of a call. Default: the `idempotencyKey` of its context, if there is one. */
  readonly keyOf?: (call: ToolCall, context: CallContext) => string | undefined;
}

/** A run to submit. */
export interface NewRun {
  /** Name of the agent. A worker must have it. */
  readonly agent: string;
  readonly prompt: string;
}

/** The state of a job in the ledger. */
export interface JobInfo {
  readonly id: string;
  readonly queue: string;
  readonly workspace: string;
  readonly key: string | undefined;
  readonly tool: string;
  readonly callId: string;
  readonly state: JobState;
  /** The reason why a queued job waits, such as `a worker that has the tool pay`. */
  readonly waitingFor: string | undefined;
  readonly priority: number;
  /** Number of the last attempt. 0 before the first. */
  readonly attempt: number;
  /** Number of workers that were lost with this job. For the run of an agent: since its last complete turn. */
  readonly lost: number;
  readonly worker: string | undefined;
  /** The code and the message of a failed job's error in one line, why a job is `unknown`, or what a person decided. */
  readonly note: string | undefined;
  readonly settledBy: string | undefined;
  /** Times of the database's clock, in milliseconds since the epoch. */
  readonly createdAt: number;
  readonly startedAt: number | undefined;
  readonly finishedAt: number | undefined;
}

/** An event of a job. */
export interface JobEvent {
  /** Increases with every event. Pass the number of the last event as `after` to continue. */
  readonly seq: number;
  readonly kind:
    | 'queued'
    | 'waiting'
    | 'question'
    | 'answered'
    | 'leased'
    | 'started'
    | 'progress'
    | 'asked-again'
    | 'turn'
    | 'requeued'
    | 'cancel-requested'
    | 'late-result'
    | 'settled'
    | 'done'
    | 'failed'
    | 'cancelled'
    | 'unknown';
  readonly attempt: number;
  /** Time of the database's clock, in milliseconds since the epoch. */
  readonly at: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A submitted job. Any process with the same database can open it by its ID. */
export interface Job {
  readonly id: string;
  info(): Promise<JobInfo>;
  /** Returns the call as it was submitted. */
  call(): Promise<ToolCall>;
  /**
   * Waits for the result. If the outcome can't be determined, it is a failure with the code `OUTCOME_UNKNOWN`. Rejects
   * only if the database can't be reached or the signal aborts.
   */
  result(options?: { readonly signal?: AbortSignal }): Promise<ToolResult>;
  /** Yields the events after a number, until the job is over or unknown. */
  events(options?: { readonly after?: number; readonly signal?: AbortSignal }): AsyncIterable<JobEvent>;
  /** Returns the events so far. */
  history(options?: { readonly after?: number }): Promise<readonly JobEvent[]>;
  /** Cancels the job: at once if it is queued, otherwise by aborting the signal of the body. */
  cancel(reason: string): Promise<void>;
}

/** The decision of a person about an `unknown` job. */
export interface Settlement {
  /** `retry` runs the call again. `done` and `failed` end the job. */
  readonly as: 'retry' | 'done' | 'failed';
  /** The person who decided. */
  readonly by: string;
  /** The result of the call, for `done` and `failed`. Default: a text that names the person. */
  readonly result?: ToolResult;
}
