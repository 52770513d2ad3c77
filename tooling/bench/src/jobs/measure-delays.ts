import { setTimeout as delay } from 'node:timers/promises';
import { openJobs } from '@haft/jobs';
import { startModule, type StartedModule } from '@haft-tooling/measure';
import { now, payWith, queue, startBoss, type Paid } from '@haft-tooling/peers/jobs/contenders';

const startWorker = async (...args: readonly string[]): Promise<StartedModule> => {
  const worker = startModule(new URL('worker-process.ts', import.meta.url), args);
  await worker.line(/^ready$/);
  return worker;
};

/**
 * Delays in milliseconds between submitting a job and the beginning of its body in an idle worker of another process.
 */
export async function measurePickup(
  name: 'haft' | 'pg-boss',
  url: string,
  schema: string,
  count: number,
): Promise<readonly number[]> {
  const worker = await startWorker(name, url, schema);
  const submitter = name === 'haft' ? await submitToHaft(url, schema) : await submitToBoss(url, schema);
  const delays: number[] = [];
  for (let index = 0; index < count; index += 1) {
    // Pauses of uneven length, so that writes are not in step with the interval of a poll.
    await delay(20 + ((index * 37) % 40));
    const before = now();
    const { at } = await submitter.pay(index);
    delays.push(at - before);
  }
  await worker.end();
  await submitter.close();
  return delays;
}

interface Submitter {
  pay(amount: number): Promise<Paid>;
  close(): Promise<void>;
}

async function submitToHaft(url: string, schema: string): Promise<Submitter> {
  const jobs = await openJobs({ url, schema });
  return { pay: (amount) => payWith(jobs, amount), close: () => jobs.close() };
}

async function submitToBoss(url: string, schema: string): Promise<Submitter> {
  const boss = await startBoss(url, schema, true);
  return {
    async pay(amount) {
      const id = (await boss.send(queue, { amount }))!;
      for (;;) {
        const job = await boss.getJobById(queue, id);
        if (job?.state === 'completed') return job.output as Paid;
        await delay(5);
      }
    },
    close: () => boss.stop({ graceful: false }),
  };
}

/** Milliseconds between the end of a killed worker and the next attempt of its job in another process. */
export async function measureTakeover(url: string, schema: string, leaseMs: number): Promise<number> {
  const jobs = await openJobs({ url, schema });
  const doomed = await startWorker('haft', url, schema, `${leaseMs}`, 'hangs');
  const job = await jobs.submit({ id: 'call_1', name: 'hold', arguments: {} }, { queue: 'holding' });
  await doomed.line(/^holding$/);
  const other = await startWorker('haft', url, schema, `${leaseMs}`);
  const diedAt = now();
  doomed.child.kill('SIGKILL');
  const { structured } = await job.result();
  await other.end();
  await jobs.close();
  return (structured as { readonly at: number }).at - diedAt;
}
