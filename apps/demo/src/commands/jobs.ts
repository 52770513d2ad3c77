import { actions, type JobsAction } from '../jobs/actions.ts';
import { ledgerOptions } from '../jobs/jobs-options.ts';
import type { Command } from '../program/command.ts';
import { UsageError } from '../program/usage-error.ts';

/** Shows and decides jobs of a job database. */
export const jobs: Command = {
  name: 'jobs',
  summary: 'show jobs of a job database, and decide those that wait for a person',
  operands: 'list|show|cancel|settle|approve [ID]',
  maximumOperands: 2,
  options: {
    ...ledgerOptions,
    json: { type: 'boolean', description: 'print one JSON value' },
    state: { type: 'string', value: 'STATE', description: 'list: only jobs in this state, such as unknown' },
    limit: { type: 'string', value: 'N', description: 'list: at most this many (default: 100)' },
    as: { type: 'string', value: 'done|failed|retry', description: 'settle: how the job ends, or that it runs again' },
    by: { type: 'string', value: 'NAME', description: 'settle, approve: who decides (default: your user name)' },
    reason: { type: 'string', value: 'TEXT', description: 'cancel, approve --deny: why' },
    deny: { type: 'boolean', description: 'approve: deny the call instead' },
  },
  notes: [
    'jobs list: the newest jobs. jobs show ID: one job, its arguments, its events and its result.',
    'jobs cancel ID: end a queued job, or abort a running one.',
    'jobs settle ID --as done|failed|retry: decide a job whose outcome is unknown.',
    'jobs approve: the calls that wait for a person. jobs approve ID: allow one; with --deny, deny it.',
    'Exit code 1 if the job or question does not exist, or has been decided already.',
  ],
  async run(invocation) {
    const [name = 'list', id] = invocation.positionals;
    const action = actions.find((each): each is JobsAction => each === name);
    if (action === undefined) throw new UsageError(`jobs ${name}: expected ${actions.join(', ')}`);
    const { runJobsAction } = await import('../jobs/run-jobs-action.ts');
    return runJobsAction(invocation, action, id);
  },
};
