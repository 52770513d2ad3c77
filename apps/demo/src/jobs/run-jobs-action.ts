import { userInfo } from 'node:os';

import type { Jobs, JobState, Settlement } from '@haft/jobs';

import type { Invocation } from '../program/command.ts';
import { UsageError } from '../program/usage-error.ts';
import type { JobsAction } from './actions.ts';
import { openLedger } from './open-ledger.ts';
import { readCount } from '../program/read-count.ts';
import { showJob, showJobs, showQuestions } from './show-jobs.ts';

/** Shows or changes jobs. Returns the exit code. */
export async function runJobsAction(invocation: Invocation, action: JobsAction, id?: string): Promise<number> {
  const run = prepare(invocation, action, id);
  const jobs = await openLedger(invocation, false);
  try {
    await run(jobs);
    return 0;
  } finally {
    await jobs.close();
  }
}

/** Checks the options before anything is opened. @throws UsageError */
function prepare(invocation: Invocation, action: JobsAction, given: string | undefined): (jobs: Jobs) => Promise<void> {
  const { terminal } = invocation;
  const done = (id: string, text: string, more: object = {}): void =>
    terminal.line(invocation.flag('json') ? JSON.stringify({ id, ...more }, null, 2) : text);
  if (action === 'list') {
    const state = readState(invocation);
    const limit = readCount(invocation, 'limit', 100_000);
    if (given !== undefined) throw new UsageError(`jobs list takes no ID; to show one job, use jobs show ${given}`);
    return async (jobs) =>
      showJobs(
        invocation,
        await jobs.list({ ...(state === undefined ? {} : { state }), ...(limit === undefined ? {} : { limit }) }),
      );
  }
  const by = invocation.value('by') ?? userInfo().username;
  const reason = invocation.value('reason');
  if (action === 'approve') {
    if (given === undefined) return async (jobs) => showQuestions(invocation, await jobs.questions());
    const isDenied = invocation.flag('deny');
    const answer = isDenied ? ('deny' as const) : ('allow' as const);
    return async (jobs) => {
      await jobs.answer(given, { action: answer, by, ...(isDenied && reason !== undefined ? { reason } : {}) });
      done(given, isDenied ? 'Denied.' : 'Allowed.', { action: answer, by });
    };
  }
  if (given === undefined) throw new UsageError(`jobs ${action} needs an ID, such as those of jobs list`);
  if (action === 'show') return (jobs) => showJob(invocation, jobs, given);
  if (action === 'cancel')
    return async (jobs) => {
      const job = jobs.job(given);
      await job.cancel(reason ?? `by ${by}`);
      const { state } = await job.info();
      done(given, state === 'cancelled' ? 'Cancelled.' : `The job is ${state}; its worker is aborting it.`, {
        state,
      });
    };
  const as = readSettlement(invocation);
  return async (jobs) => {
    await jobs.settle(given, { as, by });
    done(given, as === 'retry' ? 'Runs again.' : `Settled as ${as}.`, { as, by });
  };
}

const states: readonly JobState[] = ['queued', 'leased', 'started', 'done', 'failed', 'cancelled', 'unknown'];

function readState(invocation: Invocation): JobState | undefined {
  const given = invocation.value('state');
  const state = states.find((each) => each === given);
  if (given !== undefined && state === undefined)
    throw new UsageError(`--state ${given}: expected one of ${states.join(', ')}`);
  return state;
}

const settlements: readonly Settlement['as'][] = ['done', 'failed', 'retry'];

function readSettlement(invocation: Invocation): Settlement['as'] {
  const given = invocation.value('as');
  const as = settlements.find((each) => each === given);
  if (as === undefined)
    throw new UsageError(
      `jobs settle needs --as ${settlements.join('|')}${given === undefined ? '' : `, got ${given}`}`,
    );
  return as;
}
