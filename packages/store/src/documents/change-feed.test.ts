import { describe, expect, it } from 'vitest';

import { createStore } from '../open/create-store.ts';
import { createMemoryDriver } from '../memory/memory-driver.ts';
import type { StoreWarning } from '../warning.ts';
import type { StoreDriver } from '../store-driver.ts';
import { anything, codeOf, recordChanges } from '../testing/law-recorder.ts';

/** An in-memory driver for two stores, like a server: `wakeAll` notifies both of writes. */
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

describe('watch', () => {
  it('delivers every change once, in order and in pages, after a single wake-up', async () => {
    const driver = createSharedDriver();
    const [here, there] = [await createStore({ driver }), await createStore({ driver })];
    const recorder = await recordChanges(here.collection('notes', anything));
    const notes = there.collection('notes', anything);
    const count = 1_700;
    for (let index = 0; index < count; index += 1) await notes.set(`${index}`, index);
    expect(recorder.changes.length).toBe(0);
    driver.wakeAll();
    driver.wakeAll();
    await recorder.waitFor('set', `${count - 1}`);
    expect(recorder.changes.map((change) => 'key' in change && Number(change.key))).toEqual(
      Array.from({ length: count }, (_, index) => index),
    );
  });

  it('delivers only the last state of a key that changed several times', async () => {
    const driver = createSharedDriver();
    const [here, there] = [await createStore({ driver }), await createStore({ driver })];
    const recorder = await recordChanges(here.collection('notes', anything));
    const notes = there.collection('notes', anything);
    await notes.set('a', 1);
    await notes.set('b', 1);
    await notes.set('a', 2);
    await notes.delete('b');
    driver.wakeAll();
    await recorder.waitFor('delete', 'b');
    expect(recorder.changes).toEqual([
      { kind: 'set', key: 'a', version: 3 },
      { kind: 'delete', key: 'b', version: 4 },
    ]);
  });

  it('sends "reset" when deletions were purged before they were delivered', async () => {
    const shared = createSharedDriver();
    let isComplete = true;
    const driver: StoreDriver = {
      ...shared,
      changesSince: async (...asked) => ({ ...(await shared.changesSince(...asked)), complete: isComplete }),
    };
    const store = await createStore({ driver });
    const notes = store.collection('notes', anything);
    const recorder = await recordChanges(notes, 'only/these/');
    isComplete = false;
    await notes.set('a', 1);
    await new Promise(setImmediate);
    isComplete = true;
    await notes.set('only/these/a', 1);
    await recorder.waitFor('set', 'only/these/a');
    expect(recorder.changes).toEqual([
      { kind: 'reset', version: 1 },
      { kind: 'set', key: 'only/these/a', version: 2 },
    ]);
  });

  it('delivers all changes after a read failure and reports the interruption once', async () => {
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
    const recorder = await recordChanges(notes);
    failures = 2;
    await notes.set('a', 1);
    await notes.set('b', 1);
    // From here on, only the feed's own retry timer wakes it.
    await recorder.waitFor('set', 'b');
    expect(recorder.changes.length).toBe(2);
    expect(warnings.map(({ code, message }) => [code, message])).toEqual([
      ['WATCH_INTERRUPTED', 'changes cannot be read: away'],
    ]);
  });

  it('subscribes to the driver only while there are watchers', async () => {
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

  it('rejects while the driver cannot subscribe, and works when tried again', async () => {
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
    const recorder = await recordChanges(notes);
    await notes.set('a', 1);
    await recorder.waitFor('set', 'a');
    await store.close();
    expect(await codeOf(() => notes.watch('', () => undefined))).toBe('CLOSED');
  });
});
