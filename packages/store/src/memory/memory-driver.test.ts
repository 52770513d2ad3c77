import { describe, expect, it } from 'vitest';

import { createStore } from '../open/create-store.ts';
import { createMemoryDriver } from './memory-driver.ts';
import { describeStore } from '../testing.ts';

describe('an in-memory store', () => {
  describeStore(
    { describe, it, expect },
    {
      create: async () => ({ open: () => createStore({ url: 'memory:', onWarning: () => undefined }) }),
      isShared: false,
    },
  );

  it('shares no documents with other in-memory stores', async () => {
    const [one, two] = [await createStore({ url: 'memory:' }), await createStore({ url: 'memory:' })];
    await one.collection('notes', String).set('a', 'one');
    expect(await two.collection('notes', String).get('a')).toBe(undefined);
  });

  it('reports an incomplete change list after it purged old deletions, and never drops a document', async () => {
    const driver = createMemoryDriver();
    const change = { collection: 'notes', schemaVersion: 1, ifVersion: undefined };
    await driver.write([{ ...change, key: 'kept', text: '1' }]);
    for (let index = 0; index < 25_000; index += 1) {
      await driver.write([{ ...change, key: `key ${index}`, text: '1' }]);
      await driver.write([{ ...change, key: `key ${index}`, text: undefined }]);
    }
    const all = await driver.changesSince(0, 100_000);
    expect(all.complete).toBe(false);
    expect(all.keys[0]).toMatchObject({ key: 'kept', deleted: false });
    expect(all.keys.length).toBeLessThan(25_000);
    expect((await driver.changesSince(50_001 - 9_000, 100_000)).complete).toBe(true);
  });
});
