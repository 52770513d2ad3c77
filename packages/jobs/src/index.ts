/**
 * Durable tool calls and agent runs. Experimental: its names may change in any minor version.
 *
 * @packageDocumentation
 * @experimental
 */
export { openJobs, type Jobs } from './open/open-jobs.ts';
export type { JobsOptions, JobsWarning } from './open/jobs-options.ts';
export type {
  Job,
  JobEvent,
  JobInfo,
  JobState,
  NewRun,
  Settlement,
  StoredContext,
  SubmitOptions,
  ToolSourceOptions,
} from './contracts/job.ts';
export type { Answer, ApprovalOptions, Question } from './contracts/question.ts';
export type { JobLimit, Worker, WorkerHealth, WorkOptions } from './contracts/worker.ts';
export type { JobCounts, ListOptions } from './ledger/read-jobs.ts';
export { JobsError, jobsErrorCodes, type JobsErrorCode } from './jobs-error.ts';
