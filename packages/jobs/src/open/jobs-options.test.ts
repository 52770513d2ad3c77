import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createBank } from '../fixtures/bank.ts';
import { createDirectory } from '../fixtures/databases.ts';
import { openJobs, type Jobs } from './open-jobs.ts';

describe('the options of jobs', () => {
  let jobs: Jobs;
  beforeAll(async () => {
    jobs = await openJobs({ url: 'memory:' });
  });
  afterAll(() => jobs.close());

  it.each([
    [{}, /^openJobs: url is missing/],
    [
      { url: 'mysql://user:secret@host/db' },
      /url is not valid \(expected memory:, file:DIRECTORY or postgres:\/\/…, got "mysql:\/\/…"\)/,
    ],
    [{ url: 'memory:', schema: 'a; drop' }, /^openJobs: schema is not valid/],
    [{ url: 'memory:', retention: 5 }, /^openJobs: retention is not an option \(did you mean retentionMs\?\)/],
  ])('are refused with the reason: %j', async (options, message) => {
    await expect(openJobs(options as never)).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringMatching(message),
    });
  });

  it('of submit, work and settle are refused as well', async () => {
    const call = { id: 'a', name: 'pay', arguments: {} };
    const refused = (message: RegExp) => ({ code: 'INVALID_OPTION', message: expect.stringMatching(message) });
    await expect(jobs.submit(call, { queue: 'a b' })).rejects.toMatchObject(refused(/^submit: queue is not valid/));
    await expect(jobs.submit(call, { startAfter: -1 })).rejects.toMatchObject(
      refused(/^submit: startAfter is not valid/),
    );
    await expect(jobs.submit({ name: 'pay' } as never)).rejects.toMatchObject(refused(/expected a call such as/));
    await expect(jobs.submit({ ...call, arguments: 5n })).rejects.toMatchObject(refused(/arguments are not JSON/));
    const { source } = createBank();
    expect(() => jobs.work({ tools: [] } as never)).toThrow(/^work: tools is not an option \(pass dispatcher: /);
    expect(() => jobs.asToolSource(undefined as never)).toThrow(/^asToolSource: its first argument is not valid/);
    expect(() => jobs.asToolSource(source, { key: 'a' } as never)).toThrow(/^asToolSource: key is not an option/);
    expect(() => jobs.work({ dispatcher: source, leaseMs: 5 })).toThrow(/^work: leaseMs is not valid/);
    await expect(jobs.settle('x', { as: 'over', by: 'a' } as never)).rejects.toMatchObject(
      refused(/^settle: as is not valid/),
    );
    await expect(jobs.list({ state: 'over' } as never)).rejects.toMatchObject(refused(/^list: state is not valid/));
    await expect(jobs.list({ limit: 0 })).rejects.toMatchObject(refused(/^list: limit is not valid/));
    const job = await jobs.submit(call, { startAfter: 60_000 });
    await expect(job.cancel('a\0b')).rejects.toMatchObject(refused(/^cancel: reason is not valid/));
    await job.cancel('the test is over');
    await expect(job.history({ after: 'x' as never })).rejects.toMatchObject(refused(/^history: after is not valid/));
    for (const startAfter of [new Date(8.64e15), 1e300])
      await expect(jobs.submit(call, { startAfter })).rejects.toMatchObject(refused(/within 100 years/));
    const context = { sessionId: 5n as never };
    await expect(jobs.submit(call, { context })).rejects.toMatchObject(refused(/^submit: context is not valid/));
  });

  it('report jobs that do not exist', async () => {
    const id = '00000000-0000-4000-8000-000000000000';
    await expect(jobs.job(id).info()).rejects.toMatchObject({ code: 'UNKNOWN_JOB' });
    await expect(jobs.job(id).result()).rejects.toMatchObject({ code: 'UNKNOWN_JOB' });
    await expect(jobs.job(id).cancel('x')).rejects.toMatchObject({ code: 'UNKNOWN_JOB' });
    for (const given of [id, 'none'])
      await expect(jobs.settle(given, { as: 'done', by: 'ana' })).rejects.toMatchObject({ code: 'UNKNOWN_JOB' });
    for (const given of [id, 'a\0b'])
      await expect(jobs.answer(given, { action: 'allow', by: 'ana' })).rejects.toMatchObject({ code: 'NOT_OPEN' });
    expect(() => jobs.job("'; drop table jobs")).toThrow(expect.objectContaining({ code: 'UNKNOWN_JOB' }));
  });

  it('report a directory that can not be created', async () => {
    const [directory, remove] = await createDirectory();
    const file = join(directory, 'file');
    writeFileSync(file, '');
    for (const path of [file, join(file, 'jobs')])
      await expect(openJobs({ url: `file:${path}` })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await remove();
  });

  it('store texts of any kind', async () => {
    const { source } = createBank();
    const worker = jobs.work({ dispatcher: source });
    const text = 'a\u0000b \ud800 \u202e "\\ 😀';
    const job = await jobs.submit({ id: 'call ‮😀', name: 'pay', arguments: { amount: text } });
    const result = await job.result();
    expect(result).toMatchObject({ ok: false, error: { code: 'INVALID_ARGS' } });
    await worker.stop();
  });
});
