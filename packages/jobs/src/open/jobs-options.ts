import type { JobLimit, WorkOptions } from '../contracts/worker.ts';
import type { Answer } from '../contracts/question.ts';
import type { NewRun, Settlement, SubmitOptions, ToolSourceOptions } from '../contracts/job.ts';
import {
  checkOption,
  checkOptions,
  custom,
  functionKind,
  isRecord,
  integerKind,
  millisecondsKind,
  nonEmptyStringKind,
  numberKind,
  objectOf,
  objectWith,
  arrayOf,
  oneOf,
  required,
  stringKind,
  toolSourceKind,
  type OptionTable,
} from '@haft/core/options';
import { isToolResult, type DurableAgent } from '@haft/core';

import { JobsError } from '../jobs-error.ts';
import type { ListOptions } from '../ledger/read-jobs.ts';

/**
 * A problem that does not stop the jobs, such as a database that can't be reached for a while, or that takes long to
 * create.
 */
export interface JobsWarning {
  readonly message: string;
  /** The error, if the problem is one. */
  readonly cause: unknown;
}

/** Options of `openJobs`. */
export interface JobsOptions {
  /**
   * - `file:.haft/jobs`: a directory with an embedded database, for one process at a time;
   * - `postgres://user@host/database`: a server, shared by many hosts;
   * - `memory:`: until the jobs are closed.
   */
  readonly url: string;
  /** Schema of the ledger's tables. Default: `haft_jobs`. The queue uses `<schema>_queue`. */
  readonly schema?: string;
  /** Maximum wait for the database, in milliseconds. Default: 5,000. */
  readonly timeoutMs?: number;
  /**
   * Milliseconds for which ended jobs, and with them their keys, are kept. Default: 7 days. Calls of a run are kept until
   * the run has ended. `unknown` jobs are never deleted.
   */
  readonly retentionMs?: number;
  /** Receives problems that the program need not handle. Default: process warnings. */
  readonly onWarning?: (warning: JobsWarning) => void;
}

const schemaName = custom<string>(
  'up to 40 lowercase letters, digits and underscores, such as "haft_jobs"',
  (value) => typeof value === 'string' && /^[a-z][a-z0-9_]{0,39}$/.test(value),
);

const jobsTable: OptionTable<JobsOptions> = {
  url: required(stringKind),
  schema: schemaName,
  timeoutMs: millisecondsKind,
  retentionMs: millisecondsKind,
  onWarning: functionKind,
};

const queueName = custom<string>(
  'up to 60 letters, digits, "-", "_" and "."',
  (value) => typeof value === 'string' && /^[\w.-]{1,60}$/.test(value),
);
const shortText = custom<string>(
  'a string of 1 to 500 characters without control characters',
  (value) => typeof value === 'string' && /^[^\p{Cc}\p{Cs}]{1,500}$/u.test(value),
);

const maxDelayMs = 100 * 365 * 86_400_000;

function isDelay(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= maxDelayMs;
}

const submitTable: OptionTable<SubmitOptions> = {
  queue: queueName,
  key: shortText,
  priority: integerKind({ min: -1_000_000, max: 1_000_000 }),
  timeoutMs: millisecondsKind,
  workspace: shortText,
  startAfter: custom('a Date or milliseconds from now, within 100 years', (value) =>
    isDelay(value instanceof Date ? Math.max(0, value.getTime() - Date.now()) : value),
  ),
  schemaHash: shortText,
  context: custom(
    'an object of texts and numbers such as { sessionId }',
    (value) =>
      isRecord(value) &&
      Object.values(value).every((member) => ['string', 'number', 'undefined'].includes(typeof member)),
  ),
};

const limitTable: OptionTable<JobLimit> = {
  tool: required(nonEmptyStringKind),
  parallel: integerKind({ min: 1 }),
  rate: objectOf<NonNullable<JobLimit['rate']>>(
    { calls: required(integerKind({ min: 1 })), perMs: required(numberKind({ above: 0 })) },
    '{ calls: 30, perMs: 60_000 }',
  ),
};

const workTable: OptionTable<WorkOptions> = {
  dispatcher: required(toolSourceKind),
  agents: arrayOf(
    objectWith<DurableAgent>('an agent such as createDurableAgent() returns', 'run'),
    'an array of agents',
  ),
  queues: arrayOf(queueName, "an array of names such as ['default']"),
  maxParallel: integerKind({ min: 1, max: 1_000 }),
  leaseMs: integerKind({ min: 300, max: 3_600_000 }),
  limits: arrayOf(objectOf<JobLimit>(limitTable, "{ tool: 'github_*', parallel: 2 }"), 'an array of limits'),
  cwd: nonEmptyStringKind,
  name: shortText,
};

const sourceTable: OptionTable<ToolSourceOptions> = {
  queue: queueName,
  workspace: shortText,
  priority: submitTable.priority,
  keyOf: functionKind,
};

const runTable: OptionTable<NewRun> = {
  agent: required(
    custom<string>(
      'the name of an agent: up to 50 letters, digits, "-" and "_"',
      (value) => typeof value === 'string' && /^[\w-]{1,50}$/.test(value),
    ),
  ),
  prompt: required(stringKind),
};

const settleTable: OptionTable<Settlement> = {
  as: required(oneOf('retry', 'done', 'failed')),
  by: required(shortText),
  result: custom('a ToolResult', isToolResult),
};

const answerTable: OptionTable<Answer> = {
  action: required(oneOf('allow', 'deny')),
  by: required(shortText),
  reason: shortText,
};

const listTable: OptionTable<ListOptions> = {
  state: oneOf('queued', 'leased', 'started', 'done', 'failed', 'cancelled', 'unknown'),
  tool: nonEmptyStringKind,
  limit: integerKind({ min: 1, max: 1_000_000 }),
};

const fail = (message: string): JobsError => new JobsError('INVALID_OPTION', message);

/** @throws JobsError `INVALID_OPTION`. */
export function checkJobsOptions(options: unknown): void {
  checkOptions('openJobs', options, jobsTable, "{ url: 'file:.haft/jobs' }", fail);
}

/** @throws JobsError `INVALID_OPTION`. */
export function checkSubmitOptions(options: unknown): void {
  checkOptions('submit', options, submitTable, "{ key: 'order-7' } as the second argument", fail);
}

/** @throws JobsError `INVALID_OPTION`. */
export function checkNewRun(run: unknown): void {
  checkOptions('submitRun', run, runTable, "{ agent: 'tidy', prompt: 'Tidy up.' }", fail);
}

/** @throws JobsError `INVALID_OPTION`. */
export function checkWorkOptions(options: unknown): void {
  if (isRecord(options) && Object.hasOwn(options, 'tools'))
    throw fail('work: tools is not an option (pass dispatcher: createDispatcher({ registry: tools, permission }))');
  checkOptions('work', options, workTable, '{ dispatcher }', fail);
}

/** @throws JobsError `INVALID_OPTION`. */
export function checkSource(source: unknown, options: unknown = {}): void {
  checkOption('asToolSource', 'its first argument', source, toolSourceKind, fail);
  checkOptions('asToolSource', options, sourceTable, "{ queue: 'calls' } as the second argument", fail);
}

/** @throws JobsError `INVALID_OPTION`. */
export function checkListOptions(options: unknown): void {
  checkOptions('list', options, listTable, "{ state: 'unknown' }", fail);
}

/** @throws JobsError `INVALID_OPTION`. */
export function checkCancelReason(reason: unknown): void {
  checkOption('cancel', 'reason', reason, shortText, fail);
}

/** @throws JobsError `INVALID_OPTION`. */
export function checkAfter(owner: string, after: unknown): void {
  checkOption(owner, 'after', after, integerKind({ min: 0 }), fail);
}

/** @throws JobsError `INVALID_OPTION`. */
export function checkAnswer(answer: unknown): void {
  checkOptions('answer', answer, answerTable, "{ action: 'allow', by: 'ana' } as the second argument", fail);
}

/** @throws JobsError `INVALID_OPTION`. */
export function checkSettlement(settlement: unknown): void {
  checkOptions('settle', settlement, settleTable, "{ as: 'done', by: 'ana' } as the second argument", fail);
}
