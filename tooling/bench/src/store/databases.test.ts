import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder, runModule } from '@haft-tooling/measure';
import { makeDocument } from '@haft-tooling/peers/stores/document-database';
import { measureWatch } from './measure-watch.ts';
import type { Pace } from './database-process.ts';

const program = new URL('database-process.ts', import.meta.url);

describe('the store benchmark', { timeout: 60_000 }, () => {
  it.each(['haft', 'better-sqlite3'])('measures %s, and verifies that the documents are stored', async (name) => {
    using folder = makeFolder();
    const { sets, gets } = await runModule<Pace>(program, [name, folder.path, '20']);
    expect([sets > 0, gets > 0]).toEqual([true, true]);
  });

  it('measures when a watcher is notified of a change by another process', async () => {
    using folder = makeFolder();
    const delays = await measureWatch(`file:${join(folder.path, 'haft.db')}`, 5);
    expect([delays.length, delays.every((delay) => delay > 0)]).toEqual([5, true]);
  });

  it('stores documents of the stated size', () => {
    const { length } = JSON.stringify(makeDocument(1_234));
    expect([length > 200, length < 400]).toEqual([true, true]);
  });
});
