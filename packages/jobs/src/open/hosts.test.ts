import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Job } from '../contracts/job.ts';
import { readEffects } from '../fixtures/crash-tools.ts';
import { createDirectory, isPostgresMissing, ServerPlaces } from '../fixtures/databases.ts';
import { touchedKeys, type Touch } from '../fixtures/host-tools.ts';
import { startProgram } from '../fixtures/run-program.ts';
import { openJobs } from './open-jobs.ts';

const isLong = process.env['HAFT_TEST_LONG'] !== undefined;
const count = isLong ? 10_000 : 120;

let directory: string;
let removeDirectory: () => Promise<void>;
beforeEach(async () => {
  [directory, removeDirectory] = await createDirectory();
});
afterEach(() => removeDirectory());

/** Every fourth call uses a line. The others read and write a few keys of two workspaces, now and then all of them. */
function planCall(index: number): { readonly name: string; readonly workspace: string; readonly arguments: object } {
  const workspace = `repo-${index % 2}`;
  if (index % 4 === 3) return { name: 'dial', workspace, arguments: {} };
  const key = touchedKeys[Math.floor(index / 2) % touchedKeys.length]!;
  const other = touchedKeys[Math.floor(index / 7) % touchedKeys.length]!;
  const space = workspace;
  if (index % 40 === 0)
    return { name: 'touch', workspace, arguments: { space, reads: [], writes: ['all/'] } satisfies Touch };
  const isReader = index % 3 === 0;
  const reads = isReader ? [key] : index % 5 === 0 && other !== key ? [other] : [];
  return { name: 'touch', workspace, arguments: { space, reads, writes: isReader ? [] : [key] } satisfies Touch };
}

describe.skipIf(isPostgresMissing)('three hosts with one ledger', { timeout: isLong ? 3_600_000 : 900_000 }, () => {
  const places = new ServerPlaces();
  afterAll(() => places.remove());

  it('run each call once, never overlap calls with conflicting footprints, and respect a common limit', async () => {
    const { url, schema } = await places.next();
    const hosts = ['host-1', 'host-2', 'host-3'].map((name) =>
      startProgram('host-worker.ts', [url, schema, directory, name]),
    );
    await Promise.all(hosts.map((host) => host.line('ready')));
    const jobs = await openJobs({ url, schema, timeoutMs: 30_000 });
    const submitted: Job[] = await Promise.all(
      Array.from({ length: count }, (_, index) => {
        const { workspace, ...call } = planCall(index);
        return jobs.submit({ id: `call_${index}`, ...call }, { key: `work-${index}`, workspace });
      }),
    );
    const results = await Promise.all(submitted.map((job) => job.result()));
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
    expect(existsSync(join(directory, 'overlaps'))).toBe(false);
    const effects = readEffects(directory);
    expect(effects).toHaveLength(count);
    expect(new Set(effects).size).toBe(count);
    const infos = await jobs.list({ limit: count });
    expect(new Set(infos.map(({ worker }) => worker))).toEqual(new Set(['host-1', 'host-2', 'host-3']));
    expect(infos.filter(({ lost, state }) => lost > 0 || state !== 'done')).toEqual([]);
    for (const { child } of hosts) child.stdin?.end();
    expect(await Promise.all(hosts.map(({ ended }) => ended))).toEqual([0, 0, 0]);
    await jobs.close();
  });
});
