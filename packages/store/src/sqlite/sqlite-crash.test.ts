import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { createStore } from '../open/create-store.ts';
import { crashWriters } from '../fixtures/crash-writers.ts';

const isLong = process.env['HAFT_TEST_LONG'] !== undefined;
const [writes, kills] = isLong ? [1_000, 60] : [150, 4];

describe('a SQLite file whose writers are killed', { timeout: 600_000 }, () => {
  it('loses no acknowledged write, shows no partial write and is not reported as damaged', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'haft-store-'));
    const url = `file:${join(folder, 'haft.db')}`;
    const report = await crashWriters({ url, writes, kills, seed: 20_261_122 });
    expect(report).toMatchObject({ kills, wrongStates: 0, tornReads: 0 });
    expect(report.acknowledged + report.unacknowledged).toBe(writes);
    expect(report.reads).toBeGreaterThan(0);
    expect(await readdir(folder)).toEqual(['haft.db']);
    await rm(folder, { recursive: true });
  });

  it('fails the check when one document is lost', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'haft-store-'));
    const url = `file:${join(folder, 'haft.db')}`;
    const crash = async (kill: () => void): Promise<void> => {
      kill();
      const store = await createStore({ url });
      const documents = store.collection('documents', (value) => value);
      const [first] = (await documents.list()).documents;
      expect((await documents.delete(first?.key ?? 'none')).ok).toBe(true);
      await store.close();
    };
    const report = await crashWriters({ url, writes: 100, kills: 1, seed: 20_261_122, crash });
    expect(report).toMatchObject({ kills: 1, wrongStates: 1 });
    await rm(folder, { recursive: true });
  });
});
