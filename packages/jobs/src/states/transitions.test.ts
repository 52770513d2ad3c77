import { afterAll, describe, expect, it } from 'vitest';

import { createBank } from '../fixtures/bank.ts';
import { isPostgresMissing, ServerPlaces } from '../fixtures/databases.ts';
import { openJobs } from '../open/open-jobs.ts';

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
});
