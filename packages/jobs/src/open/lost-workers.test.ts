import { writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { createCrashSource, readEffects } from '../fixtures/crash-tools.ts';
import { createDirectory, isPostgresMissing, ServerPlaces } from '../fixtures/databases.ts';
import { startProgram } from '../fixtures/run-program.ts';
import { openJobs } from './open-jobs.ts';

describe.skipIf(isPostgresMissing)('jobs on a server', { timeout: 120_000 }, () => {
  const places = new ServerPlaces();
  afterAll(() => places.remove());
  let directory: string;
  let removeDirectory: () => Promise<void>;
  beforeEach(async () => {
    [directory, removeDirectory] = await createDirectory();
  });
  afterEach(() => removeDirectory());
  const call = (name: string, work: string, dieAt = 'none') => ({ id: work, name, arguments: { work, dieAt } });

  it('refuse the writes of a worker that was paused for longer than its lease', async () => {
    const { url, schema } = await places.next();
    const jobs = await openJobs({ url, schema });
    const program = startProgram('paused-worker.ts', [url, schema, directory]);
    onTestFinished(() => void program.child.kill('SIGKILL'));
    const job = await jobs.submit(call('pay', 'a'));
    await program.line('holds');
    // If the program stopped itself, it could do so after the signal that continues it.
    program.child.kill('SIGSTOP');
    const other = jobs.work({ dispatcher: createCrashSource(directory), leaseMs: 300, name: 'other' });
    expect(await job.result()).toMatchObject({ ok: false, error: { code: 'OUTCOME_UNKNOWN', fault: 'world' } });
    program.child.kill('SIGCONT');
    writeFileSync(join(directory, 'continue'), '');
    await program.line('continues');
    program.child.stdin?.end();
    expect(await program.ended).toBe(0);
    const late = [];
    for await (const { kind, data } of job.events())
      if (kind === 'late-result') late.push(JSON.parse(data['result'] as string));
    expect(late).toMatchObject([{ ok: true, name: 'pay' }]);
    expect(await job.info()).toMatchObject({ state: 'unknown', attempt: 1, lost: 1 });
    expect(await job.result()).toMatchObject({ ok: false, error: { code: 'OUTCOME_UNKNOWN' } });
    expect(readEffects(directory)).toHaveLength(1);
    await other.stop();
    await jobs.close();
  });

  it('take a job over at most one second after its lease ends, and stop repeating one that kills three workers', async () => {
    const { url, schema } = await places.next();
    const jobs = await openJobs({ url, schema });
    const watcher = jobs.work({ dispatcher: createCrashSource(directory), queues: ['none'], leaseMs: 500 });
    const job = await jobs.submit(call('poison', 'p'));
    for (let kills = 0; kills < 3; kills += 1) {
      const program = startProgram('crash-worker.ts', [url, schema, directory, '500']);
      expect(await program.ended).toBe('SIGKILL');
    }
    // The body never started, so it can't have had an effect.
    const result = await job.result();
    expect(result).toMatchObject({ ok: false, error: { code: 'EXECUTION_ERROR', fault: 'host' } });
    expect(await job.info()).toMatchObject({ state: 'failed', lost: 3, attempt: 3 });
    const times = [];
    for await (const { kind, at } of job.events()) if (['leased', 'requeued', 'failed'].includes(kind)) times.push(at);
    for (let index = 1; index < times.length; index += 2) expect(times[index]! - times[index - 1]!).toBeLessThan(1_500);
    await watcher.stop();
    await jobs.close();
  });

  it('keep their times and leases on workers whose clocks are an hour ahead and an hour behind', async () => {
    const { url, schema } = await places.next();
    const jobs = await openJobs({ url, schema });
    const programs = ['3600000', '-3600000'].map((skew) =>
      // A busy machine may let a worker wait for longer than a short lease, which is then lost.
      startProgram('skewed-worker.ts', [skew, url, schema, directory, '2000']),
    );
    await Promise.all(programs.map((program) => program.line('ready')));
    const delayed = ['a', 'b', 'c', 'd'].map((work) => jobs.submit(call('pay', work), { startAfter: 400 }));
    // Two bodies for each worker, which run for longer than two leases.
    const slow = ['e', 'f', 'g', 'h'].map((work) => jobs.submit(call('slow', work)));
    for (const job of await Promise.all([...delayed, ...slow])) {
      expect(await job.result()).toMatchObject({ ok: true });
      const { createdAt, startedAt, finishedAt, ...info } = await job.info();
      expect(info).toMatchObject({ attempt: 1, lost: 0 });
      if (info.tool === 'pay') expect(startedAt! - createdAt).toBeGreaterThanOrEqual(400);
      for (const time of [startedAt, finishedAt]) expect(Math.abs(time! - Date.now())).toBeLessThan(600_000);
    }
    expect(readEffects(directory)).toHaveLength(4);
    for (const { child } of programs) child.stdin?.end();
    await Promise.all(programs.map(({ ended }) => ended));
    await jobs.close();
  });

  it('lose no accepted job when the database is killed and comes back', async () => {
    const { url, schema } = await places.next();
    const cluster = await places.cluster();
    // The recovery of the server may take longer than the default on a busy machine.
    const jobs = await openJobs({ url, schema, timeoutMs: 60_000, onWarning: () => undefined });
    const worker = jobs.work({ dispatcher: createCrashSource(directory), leaseMs: 1_000 });
    const before = await Promise.all(['a', 'b', 'c'].map((work) => jobs.submit(call('pay', work), { key: work })));
    await cluster.kill();
    // Waits for the database, because no job is accepted without it.
    const during = jobs.submit(call('pay', 'd'), { key: 'd' });
    const [accepted] = await Promise.all([during, cluster.start()]);
    const all = [...before, accepted, await jobs.submit(call('pay', 'e'), { key: 'e' })];
    const results = await Promise.all(all.map((job) => job.result()));
    expect(results.map(({ ok }) => ok)).toEqual([true, true, true, true, true]);
    expect([...readEffects(directory)].sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
    await worker.stop();
    await jobs.close();
  });

  it('refuse new jobs with a clear error while the database is unreachable', async () => {
    const { url, schema } = await places.next();
    const cluster = await places.cluster();
    const jobs = await openJobs({ url, schema, timeoutMs: 1_000, onWarning: () => undefined });
    await cluster.kill();
    await expect(jobs.submit(call('pay', 'a'))).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringMatching(/^submit: /),
    });
    await cluster.start();
    const job = await jobs.submit(call('pay', 'b'));
    expect(await job.info()).toMatchObject({ state: 'queued' });
    expect(await readdir(directory)).toEqual([]);
    await jobs.close();
  });
});
