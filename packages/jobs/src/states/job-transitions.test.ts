import { allowAll, createDispatcher, defineTool, type AnyTool, type ToolSource } from '@haft/core';
import { afterAll, describe, expect, it } from 'vitest';

import type { Job, JobEvent } from '../contracts/job.ts';
import { createBank } from '../fixtures/bank.ts';
import { isPostgresMissing, ServerPlaces } from '../fixtures/databases.ts';
import { openEngine } from '../engine/open-engine.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { tablesIn } from '../ledger/tables.ts';
import { openTicketQueue } from '../ledger/ticket-queue.ts';
import { openJobs } from '../open/open-jobs.ts';
import { takeOverLost } from './take-over-lost-jobs.ts';
import { finishJobs, handBack, startJobs } from './job-transitions.ts';

const places = new ServerPlaces();
afterAll(() => places.remove());

interface Place {
  readonly url: string;
  readonly schema: string;
}

/** Opens the ledger of jobs that are open, for writes of another host. */
async function openLedger({ url, schema }: Place): Promise<Ledger & AsyncDisposable> {
  const engine = await openEngine(url, 5_000);
  const queue = await openTicketQueue(engine, schema, () => undefined);
  return {
    engine,
    tables: tablesIn(schema),
    queue,
    channel: schema,
    async [Symbol.asyncDispose]() {
      await queue.stop();
      await engine.close();
    },
  };
}

function sourceOf(members: Pick<AnyTool, 'execute'> & Partial<Pick<AnyTool, 'footprint'>>): ToolSource {
  const tool = {
    name: 'work',
    description: 'Works.',
    input: { type: 'object' },
    traits: { idempotent: true },
  } as const;
  return createDispatcher({ registry: [defineTool({ ...tool, ...members }) as AnyTool], permission: allowAll });
}

const call = { id: 'call_1', name: 'work', arguments: {} };
const callsOfClient = process.env['HAFT_TEST_LONG'] === undefined ? 5 : 15;

describe.skipIf(isPostgresMissing)('the writes of many jobs at the same time', () => {
  it('do not deadlock', async () => {
    const warnings: string[] = [];
    const jobs = await openJobs({ ...(await places.next()), onWarning: ({ message }) => void warnings.push(message) });
    const { source, effects } = createBank();
    const workers = [1, 2].map(() => jobs.work({ dispatcher: source, maxParallel: 20, leaseMs: 300 }));
    await Promise.all(
      Array.from({ length: 20 }, async (_, client) => {
        for (let index = 0; index < callsOfClient; index += 1) {
          const job = await jobs.submit({ id: 'call_1', name: 'pay', arguments: { amount: client * 100 + index } });
          expect(await job.result()).toMatchObject({ ok: true });
        }
      }),
    );
    expect(effects).toHaveLength(20 * callsOfClient);
    expect(warnings).toEqual([]);
    await Promise.all(workers.map((worker) => worker.stop()));
    await jobs.close();
  });

  it('do not hand back a job whose body has just started and must not run twice', async () => {
    const place = await places.next();
    const jobs = await openJobs(place);
    const { source, effects, release } = createBank();
    jobs.work({ dispatcher: source });
    const job = await jobs.submit({ id: 'call_1', name: 'hold', arguments: { amount: 1 } });
    for await (const { kind } of job.events()) if (kind === 'progress') break;
    await using ledger = await openLedger(place);
    expect(await handBack(ledger, { id: job.id, attempt: 1 })).toBe(false);
    expect(await job.info()).toMatchObject({ state: 'started', attempt: 1 });
    release();
    expect(await job.result()).toMatchObject({ ok: true });
    expect(effects).toEqual(['hold 1']);
    await jobs.close();
  });

  it('belong to one attempt each, also if one statement has two attempts of a job', async () => {
    const place = await places.next();
    const jobs = await openJobs(place);
    const job = await jobs.submit(call);
    await using ledger = await openLedger(place);
    await ledger.engine.query(`update ${ledger.tables.jobs} set state = 'leased', attempt = 2, lease_ms = 60000`);
    const attempts = [1, 2].map((attempt) => ({ id: job.id, attempt }));
    const starts = attempts.map((attempt) => ({ ...attempt, ifLost: 'unknown' as const }));
    expect(await startJobs(ledger, starts)).toEqual(['lost', 'started']);
    const endings = attempts.map((attempt) => ({ ...attempt, state: 'done' as const, note: null, result: '{}' }));
    expect(await finishJobs(ledger, endings)).toEqual([false, true]);
    const kinds = (await job.history()).map(({ attempt, kind }) => `${attempt} ${kind}`);
    expect(kinds.slice(1).sort()).toEqual(['1 late-result', '2 done', '2 started']);
    await jobs.close();
  });
});

describe.skipIf(isPostgresMissing)('a worker', () => {
  it('runs a body although the database took longer than the lease to record its start', async () => {
    const place = await places.next();
    const jobs = await openJobs(place);
    await using ledger = await openLedger(place);
    const { engine, tables } = ledger;
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock'
      and clock_timestamp() - query_start > interval '300 milliseconds'`;
    const { source, effects } = createBank();
    const dispatcher = createDispatcher({
      registry: source.snapshot().tools,
      permission: allowAll,
      middleware: [
        {
          name: 'lock',
          async prepare() {
            const { promise: isLocked, resolve } = Promise.withResolvers<void>();
            locked = engine.transaction(async (transaction) => {
              await transaction.query(`select from ${tables.jobs} for update`);
              resolve();
              // The start waits, and so does the renewal of the lease.
              while ((await engine.query(waiting)).length < 2);
            });
            await isLocked;
            return undefined;
          },
        },
      ],
    });
    let locked: Promise<void> | undefined;
    jobs.work({ dispatcher, leaseMs: 300 });
    const job = await jobs.submit({ id: 'call_1', name: 'pay', arguments: { amount: 1 } });
    expect(await job.result()).toMatchObject({ ok: true });
    expect(effects).toEqual(['pay 1']);
    expect(await job.info()).toMatchObject({ state: 'done', attempt: 1, lost: 0 });
    expect((await job.history()).map(({ kind }) => kind)).toEqual(['queued', 'leased', 'started', 'done']);
    await locked;
    await jobs.close();
  });

  it('aborts its earlier attempt when it takes a lost job again', async () => {
    const place = await places.next();
    const jobs = await openJobs(place);
    let attempts = 0;
    let abort: (reason: unknown) => void;
    const aborted = new Promise((resolve) => (abort = resolve));
    const source = sourceOf({
      execute: async (_, { signal, progress }) => {
        attempts += 1;
        // The second attempt may begin before the first one notices that it is aborted.
        if (attempts > 1) return 'again';
        progress('waits');
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        abort(signal.reason);
        return 'late';
      },
    });
    jobs.work({ dispatcher: source, leaseMs: 60_000 });
    const job = await jobs.submit(call);
    for await (const { kind } of job.events()) if (kind === 'progress') break;
    await using ledger = await openLedger(place);
    await takeOverLost(ledger, true);
    expect(await job.result()).toMatchObject({ ok: true });
    expect(await aborted).toMatchObject({ name: 'AbortError' });
    await jobs.close();
  });

  it('starts a job although an older one, whose queue has no worker, waited for the same footprint before it', async () => {
    const place = await places.next();
    const jobs = await openJobs(place);
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const source = sourceOf({
      footprint: () => ({ reads: [], writes: ['file:/a'] }),
      execute: async (_, { progress }) => {
        progress('writes');
        await released;
      },
    });
    const until = async (job: Job, kind: JobEvent['kind']): Promise<Job> => {
      for await (const event of job.events()) if (event.kind === kind) break;
      return job;
    };
    jobs.work({ dispatcher: source, queues: ['a'] });
    const gone = jobs.work({ dispatcher: source, queues: ['b'] });
    const first = await until(await jobs.submit(call, { queue: 'a' }), 'progress');
    const second = await until(await jobs.submit(call, { queue: 'b' }), 'waiting');
    await gone.stop();
    const third = await until(await jobs.submit(call, { queue: 'a' }), 'waiting');
    release();
    expect(await first.result()).toMatchObject({ ok: true });
    await using ledger = await openLedger(place);
    const pass = `update ${ledger.tables.jobs} set called_at = called_at - interval '1 hour'
      where id = $1 and called_at is not null returning id`;
    while ((await ledger.engine.query(pass, [second.id])).length === 0);
    expect(await third.result()).toMatchObject({ ok: true });
    expect(await second.info()).toMatchObject({ state: 'queued' });
    jobs.work({ dispatcher: source, queues: ['b'] });
    expect(await second.result()).toMatchObject({ ok: true });
    await jobs.close();
  });
});
