import type { ToolResult } from '@haft/core';

/** The state of a job. */
export interface WorkbenchJob {
  readonly id: string;
  readonly queue: string;
  readonly key: string | undefined;
  readonly tool: string;
  readonly callId: string;
  readonly state: string;
  readonly waitingFor: string | undefined;
  readonly attempt: number;
  readonly lost: number;
  readonly worker: string | undefined;
  readonly note: string | undefined;
  readonly settledBy: string | undefined;
  readonly createdAt: number;
  readonly startedAt: number | undefined;
  readonly finishedAt: number | undefined;
}

/** An event of a job. */
export interface WorkbenchJobEvent {
  readonly at: number;
  readonly kind: string;
  readonly attempt: number;
  readonly data: unknown;
}

/** The members of durable jobs that the page uses. `Jobs` of `@haft/jobs` has all of them. */
export interface WorkbenchJobs {
  list(options: { readonly limit: number }): Promise<readonly WorkbenchJob[]>;
  counts(): Promise<object>;
  questions(): Promise<
    readonly {
      readonly id: string;
      readonly job: string;
      readonly tool: string;
      readonly title: string;
      readonly arguments: unknown;
      readonly reason: string;
      readonly askedAt: number;
      readonly expiresAt: number;
    }[]
  >;
  answer(
    question: string,
    answer: { readonly action: 'allow' | 'deny'; readonly by: string; readonly reason?: string },
  ): Promise<void>;
  settle(id: string, settlement: { readonly as: 'retry' | 'done' | 'failed'; readonly by: string }): Promise<void>;
  job(id: string): {
    info(): Promise<WorkbenchJob>;
    call(): Promise<{ readonly arguments?: unknown }>;
    result(): Promise<ToolResult>;
    events(options: { readonly signal: AbortSignal }): AsyncIterable<WorkbenchJobEvent>;
    cancel(reason: string): Promise<void>;
  };
}
