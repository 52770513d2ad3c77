import { afterAll, describe, expect, it } from 'vitest';

import { createBank } from '../fixtures/bank.ts';
import { isPostgresMissing, ServerPlaces } from '../fixtures/databases.ts';
import { openEngine } from '../engine/open-engine.ts';
import { tablesIn } from '../ledger/tables.ts';
import { openTicketQueue } from '../ledger/ticket-queue.ts';
import { openJobs } from '../open/open-jobs.ts';
import { handBack } from './job-transitions.ts';

describe.skipIf(isPostgresMissing)('the writes of many jobs at the same time', () => {
  const places = new ServerPlaces();
  afterAll(() => places.remove());

  it('do not deadlock', async () => {
    const warnings: string[] = [];
    const jobs = await openJobs({ ...(await places.next()), onWarning: ({ message }) => void warnings.push(message) });
    const { source, effects } = createBank();
    const workers = [1, 2].map(() => jobs.work({ dispatcher: source, maxParallel: 20, leaseMs: 300 }));
    await Promise.all(
      Array.from({ length: 20 }, async (_, client) => {
        for (let index = 0; index < 15; index += 1) {
          const job = await jobs.submit({ id: 'call_1', name: 'pay', arguments: { amount: client * 100 + index } });
          expect(await job.result()).toMatchObject({ ok: true });
        }
      }),
    );
    expect(effects).toHaveLength(300);
    expect(warnings).toEqual([]);
    await Promise.all(workers.map((worker) => worker.stop()));
    await jobs.close();
  });

  it('do not hand back a job whose body has just started and must not run twice', async () => {
    const { url, schema } = await places.next();
    const jobs = await openJobs({ url, schema });
    const { source, effects, release } = createBank();
    jobs.work({ dispatcher: source });
    const job = await jobs.submit({ id: 'call_1', name: 'hold', arguments: { amount: 1 } });
    for await (const { kind } of job.events()) if (kind === 'progress') break;
    const engine = await openEngine(url, 5_000);
    const queue = await openTicketQueue(engine, schema, () => undefined);
    const ledger = { engine, tables: tablesIn(schema), queue, channel: schema };
    expect(await handBack(ledger, { id: job.id, attempt: 1 })).toBe(false);
    expect(await job.info()).toMatchObject({ state: 'started', attempt: 1 });
    release();
    expect(await job.result()).toMatchObject({ ok: true });
    expect(effects).toEqual(['hold 1']);
    await queue.stop();
    await engine.close();
    await jobs.close();
  });
});
