import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { createBank } from '../fixtures/bank.ts';
import type { LeasedJob } from '../ledger/job-row.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Ending, Start } from '../states/job-transitions.ts';
import { HeldJob } from './held-job.ts';
import { runJob } from './run-job.ts';

const leaseMs = 10_000;
const job: LeasedJob = {
  id: '00000000-0000-4000-8000-000000000000',
  queue: 'default',
  workspace: '',
  key: null,
  tool: 'pay',
  call: JSON.stringify({ id: 'call_1', name: 'pay', arguments: { amount: 1 } }),
  context: '{}',
  schemaHash: null,
  priority: 0,
  timeoutMs: null,
  attempt: 1,
  cancelReason: null,
  ifLost: null,
  isRecovering: false,
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Runs a job whose starts get these answers, each after so many milliseconds. */
async function run(answers: readonly (readonly [afterMs: number, start: Start])[]) {
  const { source, effects } = createBank();
  const held = new HeldJob(job);
  const left = [...answers];
  const endings: Ending[] = [];
  await runJob(
    {
      ledger: {} as Ledger,
      writers: {
        submit: () => Promise.reject(new Error('nothing is submitted')),
        async start() {
          const [afterMs, start] = left.shift()!;
          vi.advanceTimersByTime(afterMs);
          return start;
        },
        finish: async (ending) => endings.push(ending) > 0,
        announce: async () => undefined,
        progress: async () => undefined,
        outcome: async () => undefined,
      },
      patience: { timeoutMs: 0, isClosed: () => false },
      dispatcher: source,
      leaseMs,
      cwd: '/',
      limitsOf: () => [],
    },
    held,
  );
  return { effects, left, isLost: held.isLost, states: endings.map(({ state }) => state) };
}

const done = { effects: ['pay 1'], left: [], isLost: false, states: ['done'] };
const lost = { effects: [], left: [], isLost: true, states: [] };

it.each([
  ['runs after an answer within the lease', [[leaseMs - 1, 'started']], done],
  [
    'runs after a late answer only if the worker still holds the job',
    [
      [leaseMs, 'started'],
      [0, 'started'],
    ],
    done,
  ],
  [
    'runs although several answers are late',
    [
      [leaseMs, 'started'],
      [leaseMs, 'started'],
      [0, 'started'],
    ],
    done,
  ],
  [
    'does not run if the late answer was from before the job was lost',
    [
      [leaseMs, 'started'],
      [0, 'lost'],
    ],
    lost,
  ],
  [
    'does not run if the job was cancelled after the late answer',
    [
      [leaseMs, 'started'],
      [0, 'cancelled'],
    ],
    { effects: [], left: [], isLost: false, states: ['cancelled'] },
  ],
] as const)('a body %s', async (_, answers, expected) => {
  expect(await run(answers)).toEqual(expected);
});
