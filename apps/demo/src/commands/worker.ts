import { sourceOptions } from '../assembly/source-options.ts';
import { ledgerOptions } from '../jobs/jobs-options.ts';
import { permissionOptions } from '../permission/permission-mode.ts';
import type { Command } from '../program/command.ts';

/** Runs jobs of a job database. */
export const worker: Command = {
  name: 'worker',
  summary: 'take tool calls from a job database and run them in this folder',
  maximumOperands: 0,
  options: {
    ...ledgerOptions,
    queues: { type: 'string', value: 'NAMES', description: 'queues to take jobs from, such as default,slow' },
    'max-parallel': { type: 'string', value: 'N', description: 'jobs that run at the same time (default: 8)' },
    drain: {
      type: 'string',
      value: 'SECONDS',
      description: 'wait this long for running jobs at the end (default: 30)',
    },
    health: {
      type: 'string',
      value: 'PORT',
      description: 'answer GET /live and GET /ready at this port, or at HOST:PORT (default: no port)',
    },
    ...permissionOptions,
    ...sourceOptions,
  },
  notes: [
    'Calls that need a person wait in the job database until a person runs haft jobs approve, on any host.',
    'Ctrl-C and SIGTERM stop taking jobs, wait for the running ones, and hand back those that another worker can run.',
    'A directory belongs to one process at a time. For several workers, use a postgres:// URL.',
  ],
  async run(invocation) {
    const { runWorker } = await import('../jobs/run-worker.ts');
    return runWorker(invocation);
  },
};
