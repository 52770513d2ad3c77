import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { describe, expect, it } from 'vitest';

import { createStore } from './open/create-store.ts';
import { createMemoryDriver } from './memory/memory-driver.ts';
import { toJsonText } from './documents/json-text.ts';
import type { Store } from './documents/store.ts';
import { anything, recordChanges } from './testing/law-recorder.ts';

async function fill(store: Store, count: number): Promise<void> {
  const notes = store.collection('notes', anything);
  for (let index = 0; index < count; index += 1) await notes.set(`key ${index}`, index);
}

async function listAll(store: Store): Promise<number> {
  const notes = store.collection('notes', anything);
  let [count, after, more] = [0, undefined as string | undefined, true];
  while (more) {
    const page = await notes.list('', { after });
    count += page.documents.length;
    after = page.next;
    more = after !== undefined;
  }
  return count;
}

describe('an in-memory store', { timeout: 60_000 }, () => {
  it('lists documents in time proportional to their number', async () => {
    const stores = new Map<number, Store>();
    for (const size of [500, 4_000]) {
      const store = await createStore({ url: 'memory:' });
      await fill(store, size);
      stores.set(size, store);
    }
    const list = async (size: number): Promise<void> => {
      const store = stores.get(size);
      expect(store && (await listAll(store))).toBe(size);
    };
    expect(await growthOf((size) => size, list, 500)).toBeLessThan(linearGrowth);
  });

  it('writes and notifies a watcher in time proportional to the number of writes', async () => {
    const write = async (size: number): Promise<void> => {
      const store = await createStore({ url: 'memory:' });
      const recorder = await recordChanges(store.collection('notes', anything));
      await fill(store, size);
      await recorder.waitFor('set', `key ${size - 1}`);
      await store.close();
    };
    expect(await growthOf((size) => size, write, 250)).toBeLessThan(linearGrowth);
  });

  it('creates and deletes documents in time proportional to their number, because it drops the oldest deletions', async () => {
    const churn = async (size: number): Promise<void> => {
      const driver = createMemoryDriver();
      for (let index = 0; index < size; index += 1) {
        const change = { collection: 'notes', key: `${index}`, schemaVersion: 1, ifVersion: undefined };
        await driver.write([{ ...change, text: '1' }]);
        await driver.write([{ ...change, text: undefined }]);
      }
    };
    expect(await growthOf((size) => size, churn, 20_000)).toBeLessThan(linearGrowth);
  });

  it('serializes a document in time proportional to its size', async () => {
    const make = (size: number): unknown => ({
      list: Array.from({ length: size }, (_, index) => ({ index, text: 'x' })),
    });
    const write = (value: unknown): void => void toJsonText(value, 1e9);
    expect(await growthOf(make, write, 4_000)).toBeLessThan(linearGrowth);
  });
});
