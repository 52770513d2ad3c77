import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { makeDocument } from '@haft-tooling/peers/stores/document-database';
import { measureWatch } from './measure-watch.ts';
import { runDatabase } from './run-database.ts';

describe('the store benchmark', { timeout: 60_000 }, () => {
  it.each(['haft', 'memory', 'better-sqlite3'])(
    'measures %s, and verifies that the documents are stored',
    async (name) => {
      const folder = await mkdtemp(join(tmpdir(), 'haft-bench-store-'));
      const { sets, gets } = await runDatabase(name, folder, 20);
      expect([sets > 0, gets > 0]).toEqual([true, true]);
      await rm(folder, { recursive: true });
    },
  );

  it('measures when a watcher is notified of a change by another process', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'haft-bench-store-'));
    const delays = await measureWatch(`file:${join(folder, 'haft.db')}`, 5);
    expect(delays.length).toBe(5);
    expect(delays.every((delay) => delay > 0)).toBe(true);
    await rm(folder, { recursive: true });
  });

  it('stores documents of the stated size', () => {
    const { length } = JSON.stringify(makeDocument(1_234));
    expect([length > 200, length < 400]).toEqual([true, true]);
  });
});
