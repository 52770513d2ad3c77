import { randomBytes } from 'node:crypto';

import { allowAll, createDispatcher, defineTool, type AnyTool } from '@haft/core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { Job } from '../contracts/job.ts';
import type { JobsError } from '../jobs-error.ts';
import { isPostgresMissing, ServerPlaces } from '../fixtures/databases.ts';
import { createSmallDisk, type SmallDisk } from '../fixtures/small-disk.ts';
import { openJobs } from './open-jobs.ts';

const places = new ServerPlaces();
let disk: SmallDisk | undefined;
beforeAll(async () => {
  if (!isPostgresMissing) disk = await createSmallDisk(await places.cluster());
}, 60_000);
afterAll(async () => {
  await disk?.remove();
  await places.remove();
}, 60_000);

it.skipIf(isPostgresMissing)(
  'jobs refuse new jobs with a clear error while the disk is full, and keep all accepted jobs and their results',
  { timeout: 120_000 },
  async (context) => {
    context.skip(disk === undefined, 'this process may not mount a small disk');
    const { url, free } = disk!;
    const warnings: string[] = [];
    const jobs = await openJobs({ url, onWarning: ({ message }) => void warnings.push(message) });
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const effects: string[] = [];
    const note = defineTool({
      name: 'note',
      description: 'Notes a text.',
      input: { type: 'object' },
      execute: async (_, { idempotencyKey = '', progress }) => {
        progress('runs');
        await released;
        effects.push(idempotencyKey);
        // Too large for the space that is left.
        return randomBytes(300_000).toString('base64');
      },
    }) as AnyTool;
    const worker = jobs.work({
      dispatcher: createDispatcher({ registry: [note], permission: allowAll }),
      maxParallel: 1,
    });
    const accepted: Job[] = [];
    const submit = async (bytes: number): Promise<Job> => {
      const key = `work-${accepted.length}`;
      const text = randomBytes(bytes).toString('base64');
      return jobs.submit({ id: key, name: 'note', arguments: { text } }, { key });
    };
    accepted.push(await submit(10));
    for await (const { kind } of accepted[0]!.events()) if (kind === 'progress') break;
    const fill = async (bytes: number): Promise<JobsError> => {
      try {
        for (;;) accepted.push(await submit(bytes));
      } catch (error) {
        return error as JobsError;
      }
    };
    await fill(400_000);
    const refusal = await fill(100_000);
    expect(refusal).toMatchObject({ code: 'FULL', message: expect.stringMatching(/^submit: could not extend file/) });
    expect(refusal.cause).toMatchObject({ code: '53100' });
    release();
    // The body is over, but its result can't be stored.
    while (!warnings.some((text) => text.startsWith('recording a result'))) await accepted[0]!.info();
    expect(await accepted[0]!.info()).toMatchObject({ state: 'started' });
    free();
    expect(await accepted[0]!.result()).toMatchObject({ ok: true });
    await worker.stop();
    const states = (await jobs.list({ limit: 1_000 })).map(({ state, lost }) => `${state} ${lost}`);
    expect(states.filter((state) => state === 'done 0' || state === 'queued 0')).toHaveLength(accepted.length);
    expect(new Set(effects).size).toBe(effects.length);
    await jobs.close();
  },
);
