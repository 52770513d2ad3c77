import type { PermissionEngine, ToolCall, ToolSource } from '@haft/core';
import { describeCause } from '@haft/core/results';

import type { Job, JobInfo, NewRun, Settlement, SubmitOptions, ToolSourceOptions } from '../contracts/job.ts';
import type { Answer, ApprovalOptions, Question } from '../contracts/question.ts';
import type { Worker, WorkOptions } from '../contracts/worker.ts';
import { keepTrying, type Patience } from '../engine/keep-trying.ts';
import { openEngine } from '../engine/open-engine.ts';
import { JobsError } from '../jobs-error.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { prepareTables } from '../ledger/prepare-tables.ts';
import { countJobs, listJobs, type JobCounts, type ListOptions } from '../ledger/read-jobs.ts';
import { answerQuestion, listQuestions } from '../states/job-questions.ts';
import { checkJobId, settleJob } from '../states/settle-job.ts';
import { defaultSchema, newTables } from '../ledger/tables.ts';
import { openSignals } from '../ledger/signals.ts';
import { takeOverLost } from '../states/take-over-lost-jobs.ts';
import { openTicketQueue } from '../ledger/ticket-queue.ts';
import { createWriters } from '../states/state-writers.ts';
import { startWorker } from '../worker/start-worker.ts';
import { addAgents, agentToolName } from './agent-source.ts';
import { createApprovals } from './create-approvals.ts';
import { createJobSource } from './as-tool-source.ts';
import { createJobHandle, type HandleDeps } from './job-handle.ts';
import {
  checkAnswer,
  checkJobsOptions,
  checkListOptions,
  checkNewRun,
  checkSettlement,
  checkSource,
  checkWorkOptions,
  type JobsOptions,
  type JobsWarning,
} from './jobs-options.ts';
import { createNewJob } from './new-job.ts';

/** Durable tool calls. Created by {@link openJobs}. */
export interface Jobs {
  /**
   * Stores a call as a job. When it resolves, the job survives every crash.
   *
   * @throws JobsError `KEY_REUSED` if an earlier job with the same key has another call; `UNAVAILABLE` or `FULL` if the
   *   job was not stored.
   */
  submit(call: ToolCall, options?: SubmitOptions): Promise<Job>;
  /**
   * Stores a run of an agent as a job. Any worker with the agent continues it after the last complete turn. The text of
   * the result is the agent's answer. Options as for `submit`.
   */
  submitRun(run: NewRun, options?: SubmitOptions): Promise<Job>;
  /** Starts a worker, which takes jobs and runs them. */
  work(options: WorkOptions): Worker;
  /** Opens a job by its ID. Its methods reject with `UNKNOWN_JOB` if it does not exist. */
  job(id: string): Job;
  /** Lists jobs, the newest first. */
  list(options?: ListOptions): Promise<readonly JobInfo[]>;
  /** Ends an `unknown` job, or runs it again, as a person decided. Applies once. */
  settle(id: string, settlement: Settlement): Promise<void>;
  /**
   * Wraps a source so that its calls run as jobs. Use it wherever a dispatcher is expected: agents, sub-agents, servers.
   * The calls need a worker, here or on another host.
   */
  asToolSource(source: ToolSource, options?: ToolSourceOptions): ToolSource;
  /**
   * Wraps a permission engine that has no user to ask. A call that needs approval then waits in the ledger, for days if
   * necessary and across restarts. Pass the result to the dispatcher of the workers.
   */
  approvals(engine: PermissionEngine, options?: ApprovalOptions): PermissionEngine;
  /** Lists the questions that can be answered, the oldest first. */
  questions(): Promise<readonly Question[]>;
  /**
   * Answers a question. The answer applies once, to exactly the arguments of the question.
   *
   * @throws JobsError `NOT_OPEN`.
   */
  answer(questionId: string, answer: Answer): Promise<void>;
  /** Counts jobs, for health checks and metrics. */
  counts(): Promise<JobCounts>;
  /** Stops the workers of this process and closes the database. */
  close(): Promise<void>;
}

/**
 * Opens a ledger of jobs, and creates it if it is missing.
 *
 * @throws JobsError `MISSING_PACKAGE`, `UNAVAILABLE`, `IN_USE`, `NEWER_VERSION` or `NOT_A_LEDGER`.
 */
export async function openJobs(options: JobsOptions): Promise<Jobs> {
  checkJobsOptions(options);
  const { url, schema = defaultSchema, timeoutMs = 5_000, retentionMs = 7 * 86_400_000 } = options;
  const report = createReporter(options.onWarning);
  const warn = createWarner(report);
  const engine = await openEngine(url, timeoutMs, newTables, (message) => report({ message, cause: undefined }));
  let isClosed = false;
  const patience: Patience = { timeoutMs, isClosed: () => isClosed, onDelay: warn };
  const opened = await open().catch(async (error: unknown) => {
    isClosed = true;
    await engine.close();
    throw error;
  });
  const { deps, ledger } = opened;
  const workers = new Set<Worker>();
  let closing: Promise<void> | undefined;

  async function open(): Promise<{ readonly deps: HandleDeps; readonly ledger: Ledger }> {
    // The caller gets the error, so a warning would only repeat it.
    const silent = { timeoutMs, isClosed: patience.isClosed };
    const tables = await keepTrying(engine, silent, 'openJobs', () => prepareTables(engine, schema));
    const queue = await openTicketQueue(engine, schema, (error) => warn('maintaining the queue', error));
    const found: Ledger = { engine, tables, queue, channel: schema };
    try {
      const signals = await openSignals(engine, schema);
      // An embedded database belongs to this process, so workers of an earlier one can't exist any more.
      if (engine.kind === 'pglite') while ((await takeOverLost(found, true)) > 0);
      return {
        ledger: found,
        deps: { ledger: found, signals, patience, writers: createWriters(found, patience, signals) },
      };
    } catch (error) {
      await queue.stop();
      throw error;
    }
  }

  const assertOpen = (): void => {
    if (closing !== undefined) throw new JobsError('CLOSED', 'the jobs are closed');
  };

  const submit = async (call: ToolCall, given: SubmitOptions = {}): Promise<Job> => {
    assertOpen();
    const job = createNewJob(call, given);
    const { id, isNew, call: earlier } = await deps.writers.submit(job);
    if (!isNew && id !== job.id && isOtherCall(earlier, job.call)) {
      const message = `submit: the key ${JSON.stringify(job.key)} belongs to the job ${id}, which has other arguments`;
      throw new JobsError('KEY_REUSED', message);
    }
    return createJobHandle(deps, id, isNew);
  };

  return {
    submit,
    async submitRun(run, given) {
      checkNewRun(run);
      const { agent, prompt } = run;
      return submit({ id: 'run', name: agentToolName(agent), arguments: { prompt } }, given);
    },
    work(given) {
      assertOpen();
      checkWorkOptions(given);
      const dispatcher = addAgents({ ledger, patience, submit }, given.dispatcher, given.agents ?? []);
      const worker = startWorker({ ...deps, retentionMs, warn }, { ...given, dispatcher });
      workers.add(worker);
      return worker;
    },
    job: (id) => {
      checkJobId(id);
      return createJobHandle(deps, id);
    },
    async list(given = {}) {
      checkListOptions(given);
      return keepTrying(engine, patience, 'list', () => listJobs(ledger, given));
    },
    async settle(id, settlement) {
      checkSettlement(settlement);
      checkJobId(id);
      await keepTrying(engine, patience, 'settle', () => settleJob(ledger, id, settlement));
    },
    asToolSource(source, given) {
      checkSource(source, given);
      return createJobSource(submit, source, given);
    },
    approvals: (permission, given) => createApprovals(ledger, patience, permission, given),
    questions: () => keepTrying(engine, patience, 'questions', () => listQuestions(ledger)),
    async answer(questionId, answer) {
      checkAnswer(answer);
      await keepTrying(engine, patience, 'answer', () => answerQuestion(ledger, questionId, answer));
    },
    counts: () => keepTrying(engine, patience, 'counts', () => countJobs(ledger)),
    close() {
      closing ??= (async () => {
        await Promise.all([...workers].map((worker) => worker.stop()));
        isClosed = true;
        await deps.signals.stop();
        await ledger.queue.stop();
        await engine.close();
      })();
      return closing;
    },
  };
}

/** Compares calls without their IDs, which differ when a caller tries again. */
function isOtherCall(a: string, b: string): boolean {
  const argumentsOf = (text: string): string =>
    JSON.stringify((JSON.parse(text) as { readonly arguments?: unknown }).arguments ?? null);
  return argumentsOf(a) !== argumentsOf(b);
}

const repeatMs = 60_000;

function createReporter(onWarning: JobsOptions['onWarning']): (warning: JobsWarning) => void {
  return onWarning ?? (({ message }) => process.emitWarning(message, { type: 'JobsWarning' }));
}

/** Reports each problem at most once a minute. */
function createWarner(report: (warning: JobsWarning) => void): (doing: string, error: unknown) => void {
  const reported = new Map<string, number>();
  return (doing, cause) => {
    const message = `${doing}: ${describeCause(cause)}`;
    const now = performance.now();
    for (const [old, at] of reported) if (now - at >= repeatMs) reported.delete(old);
    if (reported.has(message)) return;
    reported.set(message, now);
    report({ message, cause });
  };
}
