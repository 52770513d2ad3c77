import { allowAll, createDispatcher, defineTool, type AnyTool, type ToolSource } from '@haft/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Job } from '../contracts/job.ts';
import { isPostgresMissing, ServerPlaces } from '../fixtures/databases.ts';
import { openNetwork, type Network } from '../fixtures/network.ts';
import { openJobs } from './open-jobs.ts';

/** A tool whose bodies wait until they are released, and ignore their signal. */
function createHolder(): { readonly source: ToolSource; readonly effects: string[]; readonly release: () => void } {
  const effects: string[] = [];
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const hold = defineTool({
    name: 'hold',
    description: 'Waits.',
    input: { type: 'object' },
    traits: { idempotent: 'by-key' },
    execute: async (_, { idempotencyKey = '', progress }) => {
      effects.push(idempotencyKey);
      progress('holding');
      await released;
      return 'released';
    },
  }) as AnyTool;
  return { source: createDispatcher({ registry: [hold], permission: allowAll }), effects, release };
}

const call = { id: 'call_1', name: 'hold', arguments: {} };

async function untilHolding(job: Job): Promise<void> {
  for await (const { kind } of job.events()) if (kind === 'progress') return;
}

describe.skipIf(isPostgresMissing)('a worker whose network to the database fails', { timeout: 120_000 }, () => {
  const places = new ServerPlaces();
  let network: Network;
  beforeAll(async () => {
    network = await openNetwork((await places.cluster()).url());
  });
  afterAll(async () => {
    await network.close();
    await places.remove();
  });

  /** Opens the jobs of one database through the network that fails, and directly. */
  async function openBoth() {
    const { url, schema } = await places.next();
    // Creates the tables, which may take longer than the short time limit of the host.
    const other = await openJobs({ url, schema });
    const host = await openJobs({ url: network.url, schema, timeoutMs: 2_000, onWarning: () => undefined });
    return { host, other };
  }

  it('keeps its job and stores the result if the network comes back within the lease', async () => {
    const { host, other: watcher } = await openBoth();
    const { source, effects, release } = createHolder();
    host.work({ dispatcher: source, leaseMs: 60_000 });
    const other = watcher.work({ dispatcher: createHolder().source, leaseMs: 60_000, queues: ['other'] });
    const job = await watcher.submit(call, { key: 'a' });
    await untilHolding(job);
    network.cut();
    release();
    // The result can't be stored while another worker looks for lost jobs.
    await expect(host.job(job.id).info()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(await job.info()).toMatchObject({ state: 'started' });
    network.heal();
    expect(await job.result()).toMatchObject({ ok: true });
    expect(await job.info()).toMatchObject({ state: 'done', attempt: 1, lost: 0 });
    expect(effects).toEqual(['a']);
    await other.stop();
    await Promise.all([host.close(), watcher.close()]);
  });

  it('loses its job if the network is silent for longer than the lease, changes nothing afterwards, and continues with other jobs', async () => {
    const { host, other: watcher } = await openBoth();
    const slow = createHolder();
    const worker = host.work({ dispatcher: slow.source, leaseMs: 1_500, queues: ['both', 'own'] });
    const job = await watcher.submit(call, { key: 'a', queue: 'both' });
    await untilHolding(job);
    expect(worker.health()).toMatchObject({ state: 'ready', running: 1 });
    network.stall();
    const quick = createHolder();
    quick.release();
    const other = watcher.work({ dispatcher: quick.source, leaseMs: 1_500, queues: ['both'] });
    expect(await job.result()).toMatchObject({ ok: true });
    expect(await job.info()).toMatchObject({ state: 'done', attempt: 2, lost: 1, worker: other.name });
    // Both attempts had the same key.
    expect([slow.effects, quick.effects]).toEqual([['a'], ['a']]);
    while (worker.health().state === 'ready') await new Promise((resolve) => setImmediate(resolve));
    expect(worker.health().state).toBe('unreachable');
    network.heal();
    slow.release();
    const later = await watcher.submit(call, { key: 'b', queue: 'own' });
    expect(await later.result()).toMatchObject({ ok: true });
    const late = async (): Promise<number> => (await job.history()).filter(({ kind }) => kind === 'late-result').length;
    while ((await late()) === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(await job.info()).toMatchObject({ state: 'done', attempt: 2, worker: other.name });
    while (worker.health().state !== 'ready') await job.info();
    await other.stop();
    await Promise.all([host.close(), watcher.close()]);
    expect(worker.health().state).toBe('stopping');
  });

  it('takes jobs later if it started without the network', async () => {
    const { host, other: client } = await openBoth();
    network.cut();
    const { source, release } = createHolder();
    release();
    const worker = host.work({ dispatcher: source });
    await expect(host.counts()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(worker.health().state).toBe('starting');
    network.heal();
    await worker.ready;
    expect(await (await client.submit(call)).result()).toMatchObject({ ok: true });
    await Promise.all([host.close(), client.close()]);
  });

  it('still runs a job that could not be admitted while the network was cut, unless the worker has stopped', async () => {
    const { host, other: client } = await openBoth();
    let cut: () => void = () => undefined;
    const effects: string[] = [];
    const write = defineTool({
      name: 'write',
      description: 'Writes.',
      input: { type: 'object' },
      // Called when the job is taken, before it is admitted.
      footprint: () => {
        cut();
        return { reads: [], writes: ['file:/a'] };
      },
      execute: (_, { idempotencyKey = '' }) => void effects.push(idempotencyKey),
    }) as AnyTool;
    const worker = host.work({
      dispatcher: createDispatcher({ registry: [write], permission: allowAll }),
      leaseMs: 60_000,
    });
    await worker.ready;
    const submitAndCut = async (key: string): Promise<Job> => {
      const { promise: isCut, resolve } = Promise.withResolvers<void>();
      cut = () => {
        cut = () => undefined;
        network.cut();
        resolve();
      };
      const job = await client.submit({ id: 'call_1', name: 'write', arguments: {} }, { key });
      await isCut;
      await expect(host.counts()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      return job;
    };
    const first = await submitAndCut('a');
    network.heal();
    expect(await first.result()).toMatchObject({ ok: true });
    expect(await first.info()).toMatchObject({ state: 'done', attempt: 1, lost: 0 });
    const second = await submitAndCut('b');
    await worker.stop({ timeoutMs: 1 });
    network.heal();
    expect(await host.job(second.id).info()).toMatchObject({ state: 'leased', attempt: 1 });
    expect(worker.running).toBe(0);
    expect(effects).toEqual(['a']);
    await Promise.all([host.close(), client.close()]);
  });

  it('can be closed while the network is cut or silent', async () => {
    const { url, schema } = await places.next();
    await (await openJobs({ url, schema })).close();
    for (const failure of ['cut', 'stall'] as const) {
      const host = await openJobs({ url: network.url, schema, timeoutMs: 2_000, onWarning: () => undefined });
      await host.work({ dispatcher: createHolder().source }).ready;
      network[failure]();
      await host.close();
      network.heal();
    }
  });
});
