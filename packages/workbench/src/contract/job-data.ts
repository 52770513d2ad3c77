import type { CallDetails, CallSummary } from './page-data.ts';

/** A job in the list. */
export interface JobSummary {
  readonly id: string;
  readonly tool: string;
  readonly queue: string;
  readonly state: string;
  readonly attempt: number;
  readonly waitingFor?: string;
  readonly worker?: string;
  /** The error of a failed job, why the outcome is unknown, or what a person decided. */
  readonly note?: string;
  readonly settledBy?: string;
  readonly lost: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly startedAt?: number;
  readonly finishedAt?: number;
}

/** A job with its arguments, its result and its events. */
export interface JobDetails extends JobSummary {
  /** The arguments as the caller wrote them, with secrets masked. */
  readonly arguments: string;
  /** The result of a job that is over. */
  readonly result?: Omit<CallDetails, keyof CallSummary | 'arguments'>;
  readonly key?: string;
  readonly callId: string;
  readonly events: readonly {
    readonly at: number;
    readonly kind: string;
    readonly attempt: number;
    readonly data: string;
  }[];
}

/** A call of a job that waits for a person. */
export interface JobQuestionView {
  readonly id: string;
  readonly job: string;
  readonly tool: string;
  readonly title: string;
  readonly arguments: string;
  readonly reason: string;
  readonly askedAt: number;
  readonly expiresAt: number;
}

/** The jobs of the program. */
export interface JobList {
  readonly isConnected: boolean;
  readonly counts: Readonly<Record<string, number>>;
  readonly jobs: readonly JobSummary[];
  readonly questions: readonly JobQuestionView[];
}
