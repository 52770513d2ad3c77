import { allowAll, createDispatcher, defineTool, type AnyTool } from '@haft/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Job } from '../contracts/job.ts';
import { createBank } from '../fixtures/bank.ts';
import { databases } from '../fixtures/databases.ts';
import type { Jobs } from '../open/open-jobs.ts';

/** Waits until the body of a job runs. */
async function untilStarted(job: Job): Promise<void> {
  for await (const { kind } of job.events()) if (kind === 'progress') return;
}

const hold = { id: 'call_1', name: 'hold', arguments: { amount: 1 } };

describe.each(databases.map((create) => create()))('worker.stop on $name', ({ open, remove }) => {
  let jobs: Jobs;
  beforeAll(async () => {
    jobs = await open();
  }, 60_000);
  afterAll(async () => {
    await jobs.close();
    await remove();
  }, 60_000);

  it('waits for running jobs and takes no others', async () => {
    const { source, release } = createBank();
    const worker = jobs.work({ dispatcher: source, queues: ['a'] });
    const job = await jobs.submit(hold, { queue: 'a' });
    await untilStarted(job);
    const stopped = worker.stop();
    const later = await jobs.submit(hold, { queue: 'a' });
    release();
    await stopped;
    expect(await job.result()).toMatchObject({ ok: true });
    expect(await later.info()).toMatchObject({ state: 'queued', attempt: 0 });
    await later.cancel('the test is over');
  });

  const sourceOf = (execute: AnyTool['execute'], required: readonly string[] = []) => {
    const tool = defineTool({
      name: 'repeat',
      description: 'May run again.',
      traits: { idempotent: true },
      input: { type: 'object', required },
      execute,
    }) as AnyTool;
    return createDispatcher({ registry: [tool], permission: allowAll });
  };
  const wait: AnyTool['execute'] = async (_, { signal, progress }) => {
    progress('waiting');
    await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  };
  const handBack = async (queue: string): Promise<Job> => {
    const first = jobs.work({ dispatcher: sourceOf(wait), queues: [queue] });
    const job = await jobs.submit({ id: 'call_1', name: 'repeat', arguments: {} }, { queue });
    await untilStarted(job);
    await first.stop({ timeoutMs: 1 });
    expect(await job.info()).toMatchObject({ state: 'queued', attempt: 1, lost: 0 });
    return job;
  };

  it('hands back a job that can run again, without counting a lost worker', async () => {
    const job = await handBack('b');
    const second = jobs.work({ dispatcher: sourceOf(() => 'again'), queues: ['b'] });
    expect(await job.result()).toMatchObject({ ok: true });
    expect(await job.info()).toMatchObject({ state: 'done', attempt: 2, lost: 0 });
    await second.stop();
  });

  it('leaves a job that may have had its effect `unknown` when it is cancelled, or fails, before it runs again', async () => {
    const [cancelled, refused] = [await handBack('d'), await handBack('e')];
    await cancelled.cancel('by user');
    const worker = jobs.work({ dispatcher: sourceOf(() => 'again', ['reason']), queues: ['e'] });
    for (const job of [cancelled, refused])
      expect(await job.result()).toMatchObject({ ok: false, error: { code: 'OUTCOME_UNKNOWN' } });
    await jobs.settle(cancelled.id, { as: 'failed', by: 'ana' });
    expect(await cancelled.info()).toMatchObject({ state: 'failed', settledBy: 'ana' });
    await worker.stop();
  });

  it('does not let `recover` judge a body that may still be running', async () => {
    const tool = defineTool({
      name: 'repeat',
      description: 'Can find out whether it had its effect.',
      input: { type: 'object' },
      recover: () => 'not-done' as const,
      execute: wait,
    }) as AnyTool;
    const source = createDispatcher({ registry: [tool], permission: allowAll });
    const worker = jobs.work({ dispatcher: source, queues: ['f'] });
    const job = await jobs.submit({ id: 'call_1', name: 'repeat', arguments: {} }, { queue: 'f' });
    await untilStarted(job);
    await worker.stop({ timeoutMs: 1 });
    expect(await job.result()).toMatchObject({ ok: false, error: { fault: 'cancelled' } });
    expect(await job.info()).toMatchObject({ state: 'cancelled', attempt: 1 });
  });

  it('aborts a job that must not run again, and records its result', async () => {
    const { source, effects } = createBank();
    const worker = jobs.work({ dispatcher: source, queues: ['c'] });
    const job = await jobs.submit(hold, { queue: 'c' });
    await untilStarted(job);
    await worker.stop({ timeoutMs: 1 });
    expect(await job.result()).toMatchObject({ ok: false, error: { fault: 'cancelled' } });
    expect(effects).toEqual(['hold 1']);
  });
});
