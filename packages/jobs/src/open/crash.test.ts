import { readdir } from 'node:fs/promises';

import type { ToolResult } from '@haft/core';
import { afterAll, beforeEach, afterEach, describe, expect, it } from 'vitest';

import { planCalls, submitAll } from '../fixtures/crash-plan.ts';
import { readEffects } from '../fixtures/crash-tools.ts';
import { createDirectory, isPostgresMissing, ServerPlaces } from '../fixtures/databases.ts';
import { startProgram, type RunningProgram } from '../fixtures/run-program.ts';
import type { JobInfo, JobState } from '../contracts/job.ts';
import { openJobs } from './open-jobs.ts';

const isLong = process.env['HAFT_TEST_LONG'] !== undefined;
/** Calls of the three workers, and of the embedded database. Every fourth kills a worker. */
const [calls, embeddedCalls] = isLong ? [1_000, 300] : [32, 16];
const leaseMs = 500;

let directory: string;
let removeDirectory: () => Promise<void>;
beforeEach(async () => {
  [directory, removeDirectory] = await createDirectory();
});
afterEach(() => removeDirectory());

/** Counts the effects of each work. */
function countEffects(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of readEffects(directory)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

type End = Pick<JobInfo, 'key' | 'tool' | 'state' | 'lost'>;

/** Checks the end of every job against the effects that it left. */
function expectRightEnds(ends: readonly End[], count: number): void {
  expect(ends).toHaveLength(count);
  const effects = countEffects();
  for (const { key = '', tool, state, lost } of ends) {
    const dieAt = planCalls(count).find(({ work }) => work === key)?.dieAt;
    const found = { key, tool, dieAt, state, lost, effects: effects.get(key) ?? 0 };
    // When a worker is killed, its other jobs are lost too.
    if (tool === 'pay') {
      const isUnknown = dieAt === 'started' || dieAt === 'effect' || dieAt === 'finished';
      if (isUnknown || state !== 'done') expect(found).toMatchObject({ state: 'unknown' });
      if (dieAt === 'started') expect(found).toMatchObject({ effects: 0 });
      expect(found.effects).toBeLessThanOrEqual(1);
      if (state === 'done') expect(found).toMatchObject({ effects: 1 });
    } else if (lost < 3) {
      expect(found).toMatchObject({ state: 'done' });
      expect(found.effects).toBeGreaterThanOrEqual(1);
    }
    if (tool === 'pay_recoverable' && lost < 3) expect(found).toMatchObject({ effects: 1 });
  }
}

describe.skipIf(isPostgresMissing)(
  'three workers that are killed at every transition',
  { timeout: isLong ? 3_600_000 : 900_000 },
  () => {
    const places = new ServerPlaces();
    afterAll(() => places.remove());

    it('lose no call, give each one result, and run no call twice unless it is idempotent', async () => {
      const { url, schema } = await places.next();
      const jobs = await openJobs({ url, schema, timeoutMs: 60_000 });
      const submitted = await submitAll(jobs, planCalls(calls));
      const over = new AbortController();
      let kills = 0;
      const workers = new Set<RunningProgram>();
      const keepAlive = async (): Promise<void> => {
        while (!over.signal.aborted) {
          const worker = startProgram('crash-worker.ts', [url, schema, directory, `${leaseMs}`]);
          workers.add(worker);
          const end = await worker.ended;
          workers.delete(worker);
          if (end === 'SIGKILL') kills += 1;
          else if (!over.signal.aborted) throw new Error(`a worker ended by itself with ${end}`);
        }
      };
      const list = (state: JobState): Promise<readonly JobInfo[]> => jobs.list({ state, limit: calls });
      const alive = [keepAlive(), keepAlive(), keepAlive()];
      const results = (): Promise<readonly ToolResult[]> => Promise.all(submitted.map((job) => job.result()));
      const infos = (): Promise<readonly JobInfo[]> => Promise.all(submitted.map((job) => job.info()));
      // Rejects if a worker ends by itself.
      const watched = Promise.all(alive);
      await Promise.race([results(), watched]);
      expectRightEnds(await infos(), calls);
      expect(kills).toBe((await readdir(directory)).filter((name) => name.startsWith('died-')).length);
      expect(kills).toBeGreaterThan(calls / 8);
      // A person settles the unknown ones by looking at the effects, until every call is done. Some calls kill a worker
      // again.
      for (let unknown = await list('unknown'); unknown.length > 0; unknown = await list('unknown')) {
        const effects = countEffects();
        for (const { id, key = '' } of unknown)
          await jobs.settle(id, { as: effects.has(key) ? 'done' : 'retry', by: 'ana' });
        await Promise.race([results(), watched]);
      }
      over.abort();
      for (const { child } of workers) child.stdin?.end();
      await watched;
      const ends = await infos();
      for (const { lost, state } of ends) expect({ lost, state }).toMatchObject(lost < 3 ? { state: 'done' } : {});
      const effects = countEffects();
      for (const { key = '', tool, state } of ends)
        if (tool === 'pay' && state === 'done') expect(effects.get(key)).toBe(1);
      await jobs.close();
    });
  },
);

// A process can't end itself by a signal on Windows.
const describeKilled = describe.skipIf(process.platform === 'win32');
describeKilled(
  'a process with an embedded database that is killed at every transition',
  { timeout: isLong ? 3_600_000 : 900_000 },
  () => {
    it('loses no call, gives each one result, and runs no call twice unless it is idempotent', async () => {
      let output = '';
      for (let end: number | string = 'SIGKILL'; end === 'SIGKILL';) {
        const program = startProgram('crash-program.ts', [directory, `${embeddedCalls}`]);
        end = await program.ended;
        output = program.output();
        if (end !== 'SIGKILL') expect(end).toBe(0);
      }
      const ends = /^ends (.*)$/m.exec(output)?.[1] ?? '[]';
      expectRightEnds(JSON.parse(ends) as readonly End[], embeddedCalls);
    });
  },
);
