import { randomUUID } from 'node:crypto';

import { allowAll, createDispatcher, defineTool } from '@haft/core';
import { openJobs, type Jobs } from '@haft/jobs';
import { PgBoss } from 'pg-boss';

/** A queue with a worker that pays amounts. */
export interface Contender {
  /** Submits a payment for each amount, and returns the total that the results report. */
  run(amounts: readonly number[]): Promise<readonly number[]>;
  close(): Promise<void>;
}

/** Contenders by name. Each creates its own tables in a schema of the database. */
export const contenders: Readonly<Record<string, (url: string, schema: string) => Promise<Contender>>> = {
  haft: openHaft,
  'pg-boss': openBareBoss,
  'pg-boss, one output': openBossWithOneOutput,
};

export const queue = 'payments';

/** The time of this machine, comparable between its processes. */
export const now = (): number => performance.timeOrigin + performance.now();

/** The data of a payment. */
export interface Paid {
  readonly paid: number;
  /** The time at which the body began. */
  readonly at: number;
}

/** The body of every contender. */
export async function pay(amount: number): Promise<Paid> {
  return { paid: amount, at: now() };
}

/** Starts a worker of Haft. */
export function workOn(jobs: Jobs, leaseMs = 10_000): Promise<void> {
  const tool = defineTool({
    name: 'pay',
    description: 'Pays an amount.',
    input: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
    execute: (args) => pay((args as { readonly amount: number }).amount),
  });
  const dispatcher = createDispatcher({ registry: [tool], permission: allowAll });
  return jobs.work({ dispatcher, queues: [queue], maxParallel: 10, leaseMs }).ready;
}

/** Submits a payment to Haft and waits for its result. */
export async function payWith(jobs: Jobs, amount: number): Promise<Paid> {
  const job = await jobs.submit({ id: 'call_1', name: 'pay', arguments: { amount } }, { queue });
  return (await job.result()).structured as Paid;
}

async function openHaft(url: string, schema: string): Promise<Contender> {
  const jobs = await openJobs({ url, schema });
  await workOn(jobs);
  return {
    async run(amounts) {
      const all = await Promise.all(amounts.map((amount) => payWith(jobs, amount)));
      return all.map(({ paid }) => paid);
    },
    close: () => jobs.close(),
  };
}

interface Payment {
  readonly amount: number;
}

/**
 * The least work with pg-boss: the submitter is the worker, so neither waits for a poll or a notification. Each job gets
 * an output of its own, and the submitter reads it.
 */
async function openBareBoss(url: string, schema: string): Promise<Contender> {
  const boss = await startBoss(url, schema);
  return {
    async run(amounts) {
      const [ids, fetched] = await insertAndFetch(boss, amounts);
      await Promise.all(fetched.map(async (job) => boss.complete(queue, job, await pay(job.data.amount))));
      const found = await Promise.all(ids.map((id) => boss.getJobById(queue, id)));
      return found.map((job) => (job as { readonly output: Paid }).output.paid);
    },
    close: () => boss.stop({ graceful: false }),
  };
}

/**
 * Does less than the same work: one statement completes a batch, so its jobs share one output, and only one job is
 * read.
 */
async function openBossWithOneOutput(url: string, schema: string): Promise<Contender> {
  const boss = await startBoss(url, schema);
  return {
    async run(amounts) {
      const [ids, fetched] = await insertAndFetch(boss, amounts);
      const entries = fetched.map(async ({ id, data }) => [id, (await pay(data.amount)).paid] as const);
      await boss.complete(queue, fetched, Object.fromEntries(await Promise.all(entries)));
      const [id = ''] = ids;
      const { output } = (await boss.getJobById(queue, id)) as { readonly output: Readonly<Record<string, number>> };
      return ids.map((each) => output[each] ?? NaN);
    },
    close: () => boss.stop({ graceful: false }),
  };
}

type Fetched = Awaited<ReturnType<typeof PgBoss.prototype.fetch<Payment>>>;

async function insertAndFetch(boss: PgBoss, amounts: readonly number[]): Promise<readonly [string[], Fetched]> {
  const inserted = amounts.map((amount) => ({ id: randomUUID(), data: { amount } }));
  await boss.insert(queue, inserted);
  return [inserted.map(({ id }) => id), await boss.fetch<Payment>(queue, { batchSize: amounts.length })];
}

/** Starts pg-boss with its queue. */
export async function startBoss(url: string, schema: string, isNotified = false): Promise<PgBoss> {
  const boss = new PgBoss({ connectionString: url, schema, schedule: false, useListenNotify: isNotified });
  boss.on('error', (error) => process.stderr.write(`pg-boss: ${error.message}\n`));
  await boss.start();
  await boss.createQueue(queue, { notify: isNotified });
  return boss;
}
