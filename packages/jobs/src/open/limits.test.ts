import { allowAll, createDispatcher, defineTool, type AnyTool, type ToolSource } from '@haft/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createBank } from '../fixtures/bank.ts';
import { databases } from '../fixtures/databases.ts';
import type { Jobs } from './open-jobs.ts';

/** A tool that writes a resource, and records which calls overlap. */
function createRecorder(): {
  readonly source: ToolSource;
  readonly overlaps: string[];
  readonly order: string[];
  most: number;
} {
  const running = new Map<string, number>();
  const recorder = { overlaps: [] as string[], order: [] as string[], most: 0 };
  let count = 0;
  const write = defineTool({
    name: 'write',
    description: 'Writes a resource.',
    input: {
      type: 'object',
      properties: { key: { type: 'string' }, space: { type: 'string' } },
      required: ['key', 'space'],
    },
    footprint: (args) => ({ reads: [], writes: [(args as { key: string }).key] }),
    execute: async (args) => {
      const { key, space } = args as { key: string; space: string };
      const place = `${space} ${key}`;
      if ((running.get(place) ?? 0) > 0) recorder.overlaps.push(place);
      running.set(place, (running.get(place) ?? 0) + 1);
      count += 1;
      recorder.most = Math.max(recorder.most, count);
      recorder.order.push(key);
      for (let turns = 0; turns < 5; turns += 1) await new Promise((resolve) => setImmediate(resolve));
      count -= 1;
      running.set(place, running.get(place)! - 1);
    },
  }) as AnyTool;
  return Object.assign(recorder, { source: createDispatcher({ registry: [write], permission: allowAll }) });
}

const write = (key: string, space = '') => ({ id: `${key} ${space}`, name: 'write', arguments: { key, space } });

/** Calls that compete for a few resources, and for a limit. */
const [rivals, narrow] = process.env['HAFT_TEST_LONG'] === undefined ? [24, 10] : [60, 30];

describe.each(databases.map((create) => create()))('limits and leases on $name', ({ open, remove }) => {
  let jobs: Jobs;
  beforeAll(async () => {
    jobs = await open();
  }, 60_000);
  afterAll(async () => {
    await jobs.close();
    await remove();
  }, 60_000);

  it('never overlap calls with conflicting footprints, on three workers', async () => {
    const recorder = createRecorder();
    const workers = [1, 2, 3].map(() => jobs.work({ dispatcher: recorder.source, queues: ['files'], maxParallel: 4 }));
    const submitted = await Promise.all(
      Array.from({ length: rivals }, (_, index) => {
        const workspace = `repo-${index % 2}`;
        return jobs.submit(write(`file:/a/${index % 3}`, workspace), { workspace, queue: 'files' });
      }),
    );
    const results = await Promise.all(submitted.map((job) => job.result()));
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(recorder.order).toHaveLength(rivals);
    expect(recorder.overlaps).toEqual([]);
    expect(recorder.most).toBeGreaterThan(1);
    await Promise.all(workers.map((worker) => worker.stop()));
  });

  it('enforce the concurrency limit of a tool across all workers', async () => {
    const recorder = createRecorder();
    const limits = [{ tool: 'wri*', parallel: 2 }];
    const workers = [1, 2, 3].map(() => jobs.work({ dispatcher: recorder.source, queues: ['narrow'], limits }));
    const keys = Array.from({ length: narrow }, (_, index) => `other:${index}`);
    const submitted = await Promise.all(keys.map((key) => jobs.submit(write(key), { queue: 'narrow' })));
    await Promise.all(submitted.map((job) => job.result()));
    expect(recorder.order).toHaveLength(narrow);
    expect(recorder.most).toBeLessThanOrEqual(2);
    await Promise.all(workers.map((worker) => worker.stop()));
  });

  it('enforce the rate limit of a tool, by the clock of the database', async () => {
    const recorder = createRecorder();
    const limits = [{ tool: 'write', rate: { calls: 2, perMs: 400 } }];
    const workers = [1, 2].map(() => jobs.work({ dispatcher: recorder.source, queues: ['slow'], limits }));
    const submitted = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((key) => jobs.submit(write(key), { queue: 'slow' })),
    );
    await Promise.all(submitted.map((job) => job.result()));
    const infos = await Promise.all(submitted.map((job) => job.info()));
    const first = Math.min(...infos.map(({ createdAt }) => createdAt));
    const times = infos.map(({ startedAt }) => startedAt!).sort((a, b) => a - b);
    // A start may be recorded long after the limit granted it, so the intervals between two starts say nothing.
    for (const [index, at] of times.entries()) expect(at - first).toBeGreaterThanOrEqual(Math.floor(index / 2) * 400);
    await Promise.all(workers.map((worker) => worker.stop()));
  });

  it('count a call once towards its rate, also if middleware changes its footprint', async () => {
    const { source, order } = createRecorder();
    const dispatcher = createDispatcher({
      registry: source.snapshot().tools,
      permission: allowAll,
      middleware: [{ name: 'other', prepare: () => ({ arguments: { key: 'other', space: '' } }) }],
    });
    const limits = [{ tool: 'wr*', rate: { calls: 1, perMs: 3_600_000 } }];
    const worker = jobs.work({ dispatcher, queues: ['rewritten'], limits });
    const job = await jobs.submit(write('own'), { queue: 'rewritten' });
    expect(await job.result()).toMatchObject({ ok: true });
    expect(order).toEqual(['other']);
    await worker.stop();
  });

  it('start jobs in the order of their priorities, and no job before its time', async () => {
    const recorder = createRecorder();
    const later = await jobs.submit(write('later'), { queue: 'order', startAfter: 300, priority: 9 });
    const submitted = [];
    for (const [key, priority] of [
      ['low', -1],
      ['normal', 0],
      ['high', 5],
    ] as const)
      submitted.push(await jobs.submit(write(key), { queue: 'order', priority }));
    const worker = jobs.work({ dispatcher: recorder.source, queues: ['order'], maxParallel: 1 });
    await Promise.all([later, ...submitted].map((job) => job.result()));
    expect(recorder.order.filter((key) => key !== 'later')).toEqual(['high', 'normal', 'low']);
    const { createdAt, startedAt } = await later.info();
    expect(startedAt! - createdAt).toBeGreaterThanOrEqual(300);
    await worker.stop();
  });

  it('delay the jobs of a workspace by at most 64 jobs of another one, however many that has', async () => {
    const { source, effects } = createBank();
    const pay = (amount: number, workspace: string, priority = 0) =>
      jobs.submit({ id: 'a', name: 'pay', arguments: { amount } }, { queue: 'fair', workspace, priority });
    const many = await Promise.all(Array.from({ length: 100 }, (_, index) => pay(index, 'many')));
    const few = [await pay(1_000, 'few'), await pay(1_001, 'few'), await pay(2_000, 'many', 1)];
    expect(await jobs.counts()).toMatchObject({ queued: 103, waiting: 0 });
    const worker = jobs.work({ dispatcher: source, queues: ['fair'], maxParallel: 2 });
    const later = await pay(100, 'many');
    await Promise.all([...many, ...few, later].map((job) => job.result()));
    const order = effects.map((effect) => Number(effect.slice('pay '.length)));
    expect(order).toHaveLength(104);
    // A higher priority does not wait for the other jobs of its workspace either.
    expect(order.indexOf(2_000)).toBeLessThan(3);
    expect(Math.max(order.indexOf(1_000), order.indexOf(1_001))).toBeLessThan(70);
    // Jobs of one workspace start about in the order of their submission.
    const own = order.filter((amount) => amount <= 100);
    for (const [place, amount] of own.entries()) expect(Math.abs(place - amount)).toBeLessThan(70);
    await worker.stop();
  });

  it('show that a job waits until a worker has its tool', async () => {
    const bank = createBank();
    const without = jobs.work({ dispatcher: bank.source, queues: ['new'] });
    const job = await jobs.submit(write('x'), { queue: 'new' });
    for await (const { kind, data } of job.events()) {
      if (kind !== 'waiting') continue;
      expect(data).toEqual({ for: 'tool:write' });
      break;
    }
    expect(await job.info()).toMatchObject({
      state: 'queued',
      waitingFor: 'a worker that has the tool write',
      attempt: 0,
    });
    const recorder = createRecorder();
    const worker = jobs.work({ dispatcher: recorder.source, queues: ['new'] });
    expect(await job.result()).toMatchObject({ ok: true });
    await Promise.all([without.stop(), worker.stop()]);
  });
});
