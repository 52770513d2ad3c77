import { describe, expect, it } from 'vitest';

import { createStore } from '../open/create-store.ts';
import { createMemoryDriver } from '../memory/memory-driver.ts';
import type { StoreWarning } from '../warning.ts';
import type { StoreDriver } from '../store-driver.ts';
import { anything, codeOf, listen } from '../testing/observe.ts';

/** Documents in memory that two stores share, as on a server: each is woken when the other says so. */
function createSharedDriver(): StoreDriver & { readonly wakeAll: () => void; readonly listeners: number } {
  const driver = createMemoryDriver();
  const wakes = new Set<() => void>();
  return {
    ...driver,
    get listeners() {
      return wakes.size;
    },
    wakeAll: () => wakes.forEach((wake) => wake()),
    watch(wake) {
      wakes.add(wake);
      return () => void wakes.delete(wake);
    },
    close: () => undefined,
  };
}

describe('watchers', () => {
  it('catch up with everything after one wake-up, in pages, in order, once', async () => {
    const driver = createSharedDriver();
    const [here, there] = [await createStore({ driver }), await createStore({ driver })];
    const hearing = await listen(here.collection('notes', anything));
    const notes = there.collection('notes', anything);
    const count = 1_700;
    for (let index = 0; index < count; index += 1) await notes.set(`${index}`, index);
    expect(hearing.changes.length).toBe(0);
    driver.wakeAll();
    driver.wakeAll();
    await hearing.hears('set', `${count - 1}`);
    expect(hearing.changes.map((change) => 'key' in change && Number(change.key))).toEqual(
      Array.from({ length: count }, (_, index) => index),
    );
  });

  it('hear the last state of a key that changed more than once in between', async () => {
    const driver = createSharedDriver();
    const [here, there] = [await createStore({ driver }), await createStore({ driver })];
    const hearing = await listen(here.collection('notes', anything));
    const notes = there.collection('notes', anything);
    await notes.set('a', 1);
    await notes.set('b', 1);
    await notes.set('a', 2);
    await notes.delete('b');
    driver.wakeAll();
    await hearing.hears('delete', 'b');
    expect(hearing.changes).toEqual([
      { kind: 'set', key: 'a', version: 3 },
      { kind: 'delete', key: 'b', version: 4 },
    ]);
  });

  it('are told to list anew when deletions were forgotten before they heard of them', async () => {
    const shared = createSharedDriver();
    let isComplete = true;
    const driver: StoreDriver = {
      ...shared,
      changesSince: async (...asked) => ({ ...(await shared.changesSince(...asked)), complete: isComplete }),
    };
    const store = await createStore({ driver });
    const notes = store.collection('notes', anything);
    const hearing = await listen(notes, 'only/these/');
    isComplete = false;
    await notes.set('a', 1);
    await new Promise(setImmediate);
    isComplete = true;
    await notes.set('only/these/a', 1);
    await hearing.hears('set', 'only/these/a');
    expect(hearing.changes).toEqual([
      { kind: 'reset', version: 1 },
      { kind: 'set', key: 'only/these/a', version: 2 },
    ]);
  });

  it('miss nothing when changes can not be read for a while, which is reported once', async () => {
    const shared = createSharedDriver();
    let failures = 0;
    const driver: StoreDriver = {
      ...shared,
      changesSince(...asked) {
        if (failures > 0) {
          failures -= 1;
          throw new Error('away');
        }
        return shared.changesSince(...asked);
      },
    };
    const warnings: StoreWarning[] = [];
    const store = await createStore({ driver, onWarning: (warning) => warnings.push(warning) });
    const notes = store.collection('notes', anything);
    const hearing = await listen(notes);
    failures = 2;
    await notes.set('a', 1);
    await notes.set('b', 1);
    // Nothing wakes it from here on but itself.
    await hearing.hears('set', 'b');
    expect(hearing.changes.length).toBe(2);
    expect(warnings.map(({ code, message }) => [code, message])).toEqual([
      ['WATCH_INTERRUPTED', "changes can't be read: away"],
    ]);
  });

  it('make the driver listen while there are any, and only then', async () => {
    const driver = createSharedDriver();
    const store = await createStore({ driver });
    const notes = store.collection('notes', anything);
    expect(driver.listeners).toBe(0);
    const [one, two] = await Promise.all([notes.watch('', () => undefined), notes.watch('', () => undefined)]);
    expect(driver.listeners).toBe(1);
    one.close();
    one.close();
    await new Promise(setImmediate);
    expect(driver.listeners).toBe(1);
    two.close();
    await new Promise(setImmediate);
    expect(driver.listeners).toBe(0);
    await notes.watch('', () => undefined);
    expect(driver.listeners).toBe(1);
    await store.close();
    expect(driver.listeners).toBe(0);
  });

  it('are refused while the driver can not listen, and may try again', async () => {
    const shared = createSharedDriver();
    let isAway = true;
    const driver: StoreDriver = {
      ...shared,
      async watch(wake) {
        if (isAway) throw new Error('away');
        return (await shared.watch?.(wake)) ?? (() => undefined);
      },
    };
    const store = await createStore({ driver });
    const notes = store.collection('notes', anything);
    await expect(notes.watch('', () => undefined)).rejects.toThrow('away');
    isAway = false;
    const hearing = await listen(notes);
    await notes.set('a', 1);
    await hearing.hears('set', 'a');
    await store.close();
    expect(await codeOf(() => notes.watch('', () => undefined))).toBe('CLOSED');
  });
});
