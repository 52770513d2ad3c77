/**
 * Runs payments until its standard input ends. Arguments: haft or pg-boss, URL and schema of the database, lease in
 * milliseconds, and `hangs` if the tool `hold` never ends in this process.
 */
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { allowAll, createDispatcher, defineTool } from '@haft/core';
import { openJobs } from '@haft/jobs';
import { now, pay, queue, startBoss, workOn } from '@haft-tooling/peers/jobs/contenders';

const [name = '', url = '', schema = '', leaseMs = '10000', hangs = ''] = process.argv.slice(2);

async function startHaft(): Promise<() => Promise<void>> {
  const jobs = await openJobs({ url, schema });
  const hold = defineTool({
    name: 'hold',
    description: 'Returns when it began, or never.',
    input: { type: 'object' },
    traits: { idempotent: true },
    timeoutMs: Infinity,
    async execute() {
      const at = now();
      if (hangs !== 'hangs') return { at };
      writeSync(1, 'holding\n');
      return new Promise(() => undefined);
    },
  });
  await workOn(jobs, Number(leaseMs));
  const dispatcher = createDispatcher({ registry: [hold], permission: allowAll });
  await jobs.work({ dispatcher, queues: ['holding'], leaseMs: Number(leaseMs) }).ready;
  return () => jobs.close();
}

/** The interval that the documentation of pg-boss recommends for low latency. */
async function startBareBoss(): Promise<() => Promise<void>> {
  const boss = await startBoss(url, schema, true);
  await boss.work<{ readonly amount: number }>(queue, async ([job]) => pay(job?.data.amount ?? NaN));
  return () => boss.stop({ graceful: false });
}

const close = name === 'haft' ? await startHaft() : await startBareBoss();
writeSync(1, 'ready\n');
process.stdin.resume();
await once(process.stdin, 'end');
await close();
