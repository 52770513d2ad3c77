import { allowReadOnly, createDispatcher, defineTool, type AnyTool, type ToolSource } from '@haft/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Job } from '../contracts/job.ts';
import type { Question } from '../contracts/question.ts';
import { databases } from '../fixtures/databases.ts';
import type { Jobs } from './open-jobs.ts';

/** A tool that needs a person, on a dispatcher that asks in the ledger. */
function createScene(jobs: Jobs, expiresMs?: number): { readonly source: ToolSource; readonly effects: unknown[] } {
  const effects: unknown[] = [];
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
    initialTitle: (args) => `Pay ${(args as { amount: number }).amount}`,
    execute: (args) => void effects.push(args),
  }) as AnyTool;
  const permission = jobs.approvals(allowReadOnly, expiresMs === undefined ? {} : { expiresMs });
  return { effects, source: createDispatcher({ registry: [pay], permission }) };
}

const pay = (amount: unknown) => ({ id: 'call_1', name: 'pay', arguments: { amount } });

describe.each(databases.map((create) => create()))('approvals on $name', ({ open, remove }) => {
  let jobs: Jobs;
  beforeAll(async () => {
    jobs = await open();
  }, 60_000);
  afterAll(async () => {
    await jobs.close();
    await remove();
  }, 60_000);

  /** Waits until a job asks, and returns its question. */
  async function untilAsked(job: Job): Promise<Question> {
    for await (const { kind } of job.events()) if (kind === 'question') break;
    return (await jobs.questions()).find((question) => question.job === job.id)!;
  }

  it('let a call wait without a worker, and run it elsewhere once a person has allowed it', async () => {
    const first = createScene(jobs);
    const worker = jobs.work({ dispatcher: first.source, queues: ['a'] });
    const job = await jobs.submit(pay('20'), { queue: 'a' });
    const question = await untilAsked(job);
    expect(question).toMatchObject({ tool: 'pay', title: 'Pay 20', arguments: { amount: 20 }, callId: 'call_1' });
    expect(await job.info()).toMatchObject({ state: 'queued', waitingFor: `question:${question.id}`, lost: 0 });
    await worker.stop({ timeoutMs: 1_000 });
    expect(worker.running).toBe(0);
    const second = createScene(jobs);
    const other = jobs.work({ dispatcher: second.source, queues: ['a'] });
    await jobs.answer(question.id, { action: 'allow', by: 'ana' });
    expect(await job.result()).toMatchObject({ ok: true });
    expect([first.effects, second.effects]).toEqual([[], [{ amount: 20 }]]);
    await expect(jobs.answer(question.id, { action: 'deny', by: 'bo' })).rejects.toMatchObject({ code: 'NOT_OPEN' });
    expect(await jobs.questions()).toEqual([]);
    await other.stop();
  });

  it('deny a call with the reason of the person', async () => {
    const { source, effects } = createScene(jobs);
    const worker = jobs.work({ dispatcher: source, queues: ['b'] });
    const job = await jobs.submit(pay(5), { queue: 'b' });
    await jobs.answer((await untilAsked(job)).id, { action: 'deny', by: 'ana', reason: 'too much' });
    const denial = { source: 'person', reason: 'too much' };
    expect(await job.result()).toMatchObject({ ok: false, error: { code: 'PERMISSION_DENIED', denial } });
    expect(effects).toEqual([]);
    await worker.stop();
  });

  it('apply an answer only to the job and the arguments of its question', async () => {
    const { source, effects } = createScene(jobs);
    const worker = jobs.work({ dispatcher: source, queues: ['c'] });
    const [one, two] = [await jobs.submit(pay(1), { queue: 'c' }), await jobs.submit(pay(1), { queue: 'c' })];
    await jobs.answer((await untilAsked(one)).id, { action: 'allow', by: 'ana' });
    expect(await one.result()).toMatchObject({ ok: true });
    const open = await untilAsked(two);
    expect(effects).toEqual([{ amount: 1 }]);
    await two.cancel('by user');
    await expect(jobs.answer(open.id, { action: 'allow', by: 'ana' })).rejects.toMatchObject({ code: 'NOT_OPEN' });
    expect(await jobs.questions()).toEqual([]);
    expect(effects).toEqual([{ amount: 1 }]);
    await worker.stop();
  });

  it('deny a call whose question was not answered in time', async () => {
    const { source, effects } = createScene(jobs, 300);
    const worker = jobs.work({ dispatcher: source, queues: ['d'] });
    const job = await jobs.submit(pay(1), { queue: 'd' });
    const denial = { source: 'no-approver', reason: 'the question was not answered in time' };
    expect(await job.result()).toMatchObject({ ok: false, error: { code: 'PERMISSION_DENIED', denial } });
    expect(await jobs.questions()).toEqual([]);
    expect(effects).toEqual([]);
    await worker.stop();
  });
});
