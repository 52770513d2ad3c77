import { allowReadOnly, createDispatcher } from '@haft/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Engine } from '../engine/engine.ts';
import { openEngine } from '../engine/open-engine.ts';
import { createBank } from '../fixtures/bank.ts';
import { createDirectory, isPostgresMissing, ServerPlaces } from '../fixtures/databases.ts';
import { openJobs } from '../open/open-jobs.ts';
import { prepareTables } from './prepare-tables.ts';
import { migrations } from './tables.ts';

describe.skipIf(isPostgresMissing)('the tables of the ledger', () => {
  const places = new ServerPlaces();
  let engine: Engine;
  beforeAll(async () => {
    engine = await openEngine((await places.next()).url, 5_000);
  }, 60_000);
  afterAll(async () => {
    await engine.close();
    await places.remove();
  });
  const tablesOf = async (schema: string): Promise<number> => {
    const rows = await engine.query<{ count: number }>(
      `select count(*)::integer as count from information_schema.tables where table_schema like $1`,
      [`${schema}%`],
    );
    return rows[0]!.count;
  };

  it('are created once when several hosts open the database first', async () => {
    const { url, schema } = await places.next();
    const opened = await Promise.all([1, 2, 3].map(() => openJobs({ url, schema })));
    const job = await opened[0]!.submit({ id: 'a', name: 'pay', arguments: {} });
    expect(await opened[2]!.job(job.id).info()).toMatchObject({ state: 'queued' });
    await Promise.all(opened.map((jobs) => jobs.close()));
  });

  it('are refused untouched if a newer or another program created them', async () => {
    const { url, schema } = await places.next();
    await engine.query(`create schema ${schema}; create table ${schema}.ledger (id smallint, version integer);
      insert into ${schema}.ledger values (1, ${migrations.length + 1})`);
    await expect(openJobs({ url, schema })).rejects.toMatchObject({ code: 'NEWER_VERSION' });
    await engine.query(`drop table ${schema}.ledger; create table ${schema}.ledger (other text)`);
    await expect(openJobs({ url, schema })).rejects.toMatchObject({ code: 'NOT_A_LEDGER' });
    expect(await tablesOf(schema)).toBe(1);
  });

  it('are migrated while a worker of the previous version keeps running', async () => {
    const { url, schema } = await places.next();
    const jobs = await openJobs({ url, schema });
    const { source, effects } = createBank();
    const worker = jobs.work({ dispatcher: source });
    const pay = async (from: number): Promise<void> => {
      const calls = Array.from({ length: 20 }, (_, index) => ({
        id: 'a',
        name: 'pay',
        arguments: { amount: from + index },
      }));
      const submitted = await Promise.all(calls.map((call) => jobs.submit(call)));
      for (const job of submitted) expect(await job.result()).toMatchObject({ ok: true });
    };
    const paying = pay(0);
    await prepareTables(engine, schema, [
      ...migrations,
      ({ jobs: table }) => `alter table ${table} add column color text`,
    ]);
    await paying;
    await pay(100);
    expect(new Set(effects).size).toBe(40);
    expect(effects).toHaveLength(40);
    await expect(openJobs({ url, schema })).rejects.toMatchObject({ code: 'NEWER_VERSION' });
    await worker.stop();
    await jobs.close();
  });

  it('keep a damaged job with its bytes, and fail it', async () => {
    const { url, schema } = await places.next();
    const jobs = await openJobs({ url, schema });
    const job = await jobs.submit({ id: 'a', name: 'pay', arguments: { amount: 1 } });
    await engine.query(`update ${schema}.jobs set call = '{"id":'`);
    const { source, effects } = createBank();
    const worker = jobs.work({ dispatcher: source });
    expect(await job.result()).toMatchObject({ ok: false, error: { code: 'EXECUTION_ERROR', fault: 'host' } });
    expect(await engine.query(`select call from ${schema}.jobs`)).toEqual([{ call: '{"id":' }]);
    expect(effects).toEqual([]);
    await worker.stop();
    await jobs.close();
  });

  it('keep other damaged rows as well, and let the jobs around them continue', async () => {
    const { url, schema } = await places.next();
    const jobs = await openJobs({ url, schema });
    const { source, effects } = createBank();
    const ask = createDispatcher({ registry: source.snapshot().tools, permission: jobs.approvals(allowReadOnly) });
    const asking = jobs.work({ dispatcher: ask, queues: ['ask'] });
    const call = (amount: number) => ({ id: 'a', name: 'pay', arguments: { amount } });
    const [damaged, intact] = await Promise.all([1, 2].map((amount) => jobs.submit(call(amount), { queue: 'ask' })));
    for (const job of [damaged!, intact!]) for await (const { kind } of job.events()) if (kind === 'question') break;
    await engine.query(`update ${schema}.questions set question = '{"tool' where job = '${damaged!.id}'`);
    expect((await jobs.questions()).map(({ job }) => job)).toEqual([intact!.id]);
    const worker = jobs.work({ dispatcher: source });
    const done = await jobs.submit(call(3));
    expect(await done.result()).toMatchObject({ ok: true });
    await engine.query(`update ${schema}.jobs set result = '{"version' where id = '${done.id}';
      update ${schema}.events set data = '{"worker' where job = '${done.id}' and kind = 'leased'`);
    const found = jobs.job(done.id);
    expect(await found.result()).toMatchObject({ ok: false, error: { code: 'OUTCOME_UNKNOWN' } });
    expect((await found.history()).map(({ kind, data }) => [kind, data])).toContainEqual([
      'leased',
      { damaged: '{"worker' },
    ]);
    expect(effects).toEqual(['pay 3']);
    await asking.stop();
    await worker.stop();
    await jobs.close();
  });

  it('ask again if the arguments change after a person has allowed the call', async () => {
    const { url, schema } = await places.next();
    const jobs = await openJobs({ url, schema });
    const { source, effects } = createBank();
    const ask = createDispatcher({ registry: source.snapshot().tools, permission: jobs.approvals(allowReadOnly) });
    const first = jobs.work({ dispatcher: ask });
    const job = await jobs.submit({ id: 'a', name: 'pay', arguments: { amount: 1 } });
    for await (const { kind } of job.events()) if (kind === 'question') break;
    await first.stop();
    await jobs.answer((await jobs.questions())[0]!.id, { action: 'allow', by: 'ana' });
    await engine.query(`update ${schema}.jobs set call = replace(call, '"amount":1', '"amount":1000')`);
    const second = jobs.work({ dispatcher: ask });
    let asked = 0;
    for await (const { kind } of job.events()) if (kind === 'question' && (asked += 1) === 2) break;
    expect(await jobs.questions()).toMatchObject([{ arguments: { amount: 1_000 } }]);
    expect(effects).toEqual([]);
    await second.stop();
    await jobs.close();
  });

  it('wake a job again if its question is still open when the job is woken', async () => {
    const { url, schema } = await places.next();
    const jobs = await openJobs({ url, schema });
    const { source, effects } = createBank();
    const permission = jobs.approvals(allowReadOnly, { expiresMs: 1_000 });
    const worker = jobs.work({ dispatcher: createDispatcher({ registry: source.snapshot().tools, permission }) });
    const job = await jobs.submit({ id: 'a', name: 'pay', arguments: { amount: 1 } });
    for await (const { kind } of job.events()) if (kind === 'question') break;
    await engine.query(`update ${schema}.questions set expires_at = expires_at + interval '1 second'`);
    expect(await job.result()).toMatchObject({ ok: false, error: { code: 'PERMISSION_DENIED' } });
    expect(effects).toEqual([]);
    await worker.stop();
    await jobs.close();
  });

  it('drop old jobs after the retention time, but never unknown jobs', async () => {
    const { url, schema } = await places.next();
    const jobs = await openJobs({ url, schema, retentionMs: 1_000 });
    const { source } = createBank();
    const first = jobs.work({ dispatcher: source });
    const [done, unknown] = await Promise.all(
      [1, 2].map((amount) => jobs.submit({ id: 'a', name: 'pay', arguments: { amount } })),
    );
    await Promise.all([done!.result(), unknown!.result()]);
    await first.stop();
    await engine.query(`update ${schema}.jobs set finished_at = finished_at - interval '1 hour',
      state = case when id = '${unknown!.id}' then 'unknown' else state end`);
    const second = jobs.work({ dispatcher: source });
    await second.ready;
    await expect(done!.info()).rejects.toMatchObject({ code: 'UNKNOWN_JOB' });
    expect(await unknown!.info()).toMatchObject({ state: 'unknown' });
    expect(await engine.query(`select distinct job from ${schema}.events`)).toHaveLength(1);
    expect(await jobs.counts()).toMatchObject({ unknown: 1, queued: 0, oldestMs: 0 });
    await second.stop();
    await jobs.close();
  });

  it('keep the calls of a run until the run has ended, so that no worker that continues it repeats them', async () => {
    const { url, schema } = await places.next();
    const jobs = await openJobs({ url, schema, retentionMs: 1_000 });
    const { source } = createBank();
    const clean = async (): Promise<void> => {
      await engine.query(`update ${schema}.jobs set finished_at = finished_at - interval '1 hour'`);
      const worker = jobs.work({ dispatcher: source });
      await worker.ready;
      await worker.stop();
    };
    const pay = { id: 'a', name: 'pay', arguments: { amount: 1 } };
    const run = await jobs.submit(pay, { queue: 'other' });
    const job = await jobs.submit(pay, { key: `${run.id}/1/call_0` });
    const worker = jobs.work({ dispatcher: source });
    expect(await job.result()).toMatchObject({ ok: true });
    await worker.stop();
    await clean();
    expect(await job.info()).toMatchObject({ state: 'done' });
    await run.cancel('by user');
    await clean();
    for (const gone of [run, job]) await expect(gone.info()).rejects.toMatchObject({ code: 'UNKNOWN_JOB' });
    await jobs.close();
  });
});

describe('an embedded database', () => {
  it('belongs to one process at a time, and keeps its jobs', async () => {
    const [directory, remove] = await createDirectory();
    const url = `file:${directory}/jobs`;
    const jobs = await openJobs({ url });
    await expect(openJobs({ url })).rejects.toMatchObject({ code: 'IN_USE' });
    const job = await jobs.submit({ id: 'a', name: 'pay', arguments: { amount: 7 } });
    await jobs.close();
    const later = await openJobs({ url });
    const { source, effects } = createBank();
    later.work({ dispatcher: source });
    expect(await later.job(job.id).result()).toMatchObject({ ok: true });
    expect(effects).toEqual(['pay 7']);
    await later.close();
    await remove();
  });
});
