import { describe, expect, it } from 'vitest';

import { createStore } from '../open/create-store.ts';
import { createMemoryDriver } from './memory-driver.ts';
import { describeStore } from '../testing.ts';

describe('a store in memory', () => {
  describeStore(
    { describe, it, expect },
    {
      create: async () => ({ open: () => createStore({ url: 'memory:', onWarning: () => undefined }) }),
      isShared: false,
    },
  );

  it('gives every store documents of its own', async () => {
    const [one, two] = [await createStore({ url: 'memory:' }), await createStore({ url: 'memory:' })];
    await one.collection('notes', String).set('a', 'one');
    expect(await two.collection('notes', String).get('a')).toBe(undefined);
  });

  it('says so when it has forgotten deletions, and forgets no document', async () => {
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
