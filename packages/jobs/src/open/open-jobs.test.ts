import { defineTool, failure, success, toolError, type AnyTool } from '@haft/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createBank } from '../fixtures/bank.ts';
import { databases } from '../fixtures/databases.ts';
import type { Jobs } from './open-jobs.ts';

const call = (name: string, amount: unknown, id = 'call_1') => ({ id, name, arguments: { amount } });

describe.each(databases.map((create) => create()))('jobs on $name', ({ open, remove }) => {
  let jobs: Jobs;
  beforeAll(async () => {
    jobs = await open();
  }, 60_000);
  afterAll(async () => {
    await jobs.close();
    await remove();
  }, 60_000);

  it('run a submitted call once and return its result', async () => {
    const { source, effects } = createBank();
    const job = await jobs.submit(call('pay', '20'), { key: 'order-7' });
    expect((await job.info()).state).toBe('queued');
    const worker = jobs.work({ dispatcher: source });
    const result = await job.result();
    expect(result).toMatchObject({ ok: true, callId: 'call_1', name: 'pay', structured: { paid: 20, key: 'order-7' } });
    expect(effects).toEqual(['pay 20']);
    const again = await jobs.submit(call('pay', '20', 'call_2'), { key: 'order-7' });
    expect(again.id).toBe(job.id);
    expect(await again.result()).toMatchObject({ ok: true });
    expect(effects).toEqual(['pay 20']);
    await expect(jobs.submit(call('pay', 30), { key: 'order-7' })).rejects.toMatchObject({ code: 'KEY_REUSED' });
    expect(await jobs.job(job.id).info()).toMatchObject({ state: 'done', attempt: 1, lost: 0, worker: worker.name });
    await worker.stop();
  });

  it('deliver the events of a job in order, and continue after a number', async () => {
    const { source, release } = createBank();
    const worker = jobs.work({ dispatcher: source });
    const job = await jobs.submit(call('hold', 1));
    const kinds: string[] = [];
    let progressAt = 0;
    for await (const event of job.events()) {
      kinds.push(event.kind);
      if (event.kind !== 'progress') continue;
      expect(event.data).toEqual({ message: 'holding' });
      progressAt = event.seq;
      release();
    }
    expect(kinds).toEqual(['queued', 'leased', 'started', 'progress', 'done']);
    const later: string[] = [];
    for await (const event of jobs.job(job.id).events({ after: progressAt })) later.push(event.kind);
    expect(later).toEqual(['done']);
    await worker.stop();
  });

  it('cancel a queued job at once and a running one through its signal', async () => {
    const { source, effects } = createBank();
    const queued = await jobs.submit(call('pay', 1), { startAfter: 60_000 });
    await queued.cancel('by user');
    expect(await queued.result()).toMatchObject({ ok: false, error: { code: 'ABORTED', fault: 'cancelled' } });
    const worker = jobs.work({ dispatcher: source, leaseMs: 60_000 });
    const job = await jobs.submit(call('hold', 1));
    for await (const { kind } of job.events()) if (kind === 'progress') break;
    const asked = performance.now();
    await job.cancel('by user');
    expect(await job.result()).toMatchObject({ ok: false, error: { fault: 'cancelled' } });
    // Its lease lasts longer.
    expect(performance.now() - asked).toBeLessThan(20_000);
    expect(await job.info()).toMatchObject({ state: 'cancelled' });
    expect(effects).toEqual(['hold 1']);
    await worker.stop();
  });

  it('return failures of calls as results, and a failure for a result that is too long to store', async () => {
    const long = defineTool({
      name: 'long',
      description: 'Returns a long text.',
      input: { type: 'object' },
      // The database can't store such a key.
      footprint: () => ({ reads: [], writes: ['a\0b'] }),
      execute: (_, { callId }) => success(callId, 'long', { structured: { text: 'x'.repeat(33 * 1024 * 1024) } }),
    }) as AnyTool;
    const { source } = createBank([long]);
    const worker = jobs.work({ dispatcher: source });
    const job = await jobs.submit(call('pay', 'much'));
    expect(await job.result()).toMatchObject({ ok: false, error: { code: 'INVALID_ARGS', fault: 'model' } });
    expect(await job.info()).toMatchObject({
      state: 'failed',
      attempt: 1,
      note: expect.stringMatching(/^INVALID_ARGS: /),
    });
    const tooLong = await jobs.submit({ id: 'call_1', name: 'long', arguments: {} });
    expect(await tooLong.result()).toMatchObject({
      ok: false,
      error: {
        code: 'OUTPUT_INVALID',
        message: expect.stringMatching(/the result of long can't be stored: .*at most/),
      },
    });
    await worker.stop();
  });

  it('list the error of a failed job in one line, without secrets, also if the database can not store its text', async () => {
    const refuse = defineTool({
      name: 'refuse',
      description: 'Fails.',
      input: { type: 'object' },
      execute: (_, { callId }) =>
        failure(callId, toolError('EXECUTION_ERROR', `no\n\0stock \ud800, password=hunter2 ${'.'.repeat(1_000)}`)),
    }) as AnyTool;
    const { source } = createBank([refuse]);
    const worker = jobs.work({ dispatcher: source });
    const job = await jobs.submit({ id: 'call_1', name: 'refuse', arguments: {} });
    expect(await job.result()).toMatchObject({ ok: false });
    const [listed] = await jobs.list({ tool: 'refuse' });
    expect(listed?.note).toMatch(/^EXECUTION_ERROR: no stock \uFFFD, password=\[redacted\] \.+$/);
    expect(listed?.note).toHaveLength(300);
    await worker.stop();
  });
});
