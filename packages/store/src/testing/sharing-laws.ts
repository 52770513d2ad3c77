import type { Law } from './law.ts';
import { anything, recordChanges } from './law-recorder.ts';

/** Several stores on the same storage see each other's writes. */
export const sharingLaws: readonly Law[] = [
  {
    name: 'returns the same documents and versions after it was closed and opened again',
    async prove(store, expect, open) {
      const notes = store.collection('notes', anything);
      await notes.set('a', { kept: true });
      await notes.set('b', 1);
      await notes.delete('b');
      const before = await notes.get('a');
      await store.close();
      const again = (await open()).collection('notes', anything);
      expect(await again.get('a')).toEqual(before);
      expect(await again.get('b')).toEqual(undefined);
      const written = await again.set('a', 2, { ifVersion: before?.version ?? 0 });
      expect(written.ok && written.document.version > (before?.version ?? 0) + 1).toEqual(true);
    },
  },
  {
    name: 'shows an acknowledged write to other stores at once',
    async prove(store, expect, open) {
      const here = store.collection('notes', anything);
      const there = (await open()).collection('notes', anything);
      for (let round = 0; round < 10; round += 1) {
        await here.set('a', round);
        expect((await there.get('a'))?.value).toEqual(round);
      }
      await there.delete('a');
      expect(await here.get('a')).toEqual(undefined);
    },
  },
  {
    name: 'accepts one write if several stores write over the same version',
    async prove(store, expect, open) {
      const stores = [store, await open(), await open()];
      const collections = stores.map((each) => each.collection('notes', anything));
      const attempts = await Promise.all(
        collections.flatMap((notes, index) =>
          Array.from({ length: 5 }, (_, turn) => notes.set('a', [index, turn], { ifVersion: 0 })),
        ),
      );
      expect(attempts.filter(({ ok }) => ok).length).toEqual(1);
      const winner = attempts.find(({ ok }) => ok);
      expect(await collections[0]?.get('a')).toEqual(winner?.ok === true && winner.document);
    },
  },
  {
    name: 'loses no update if several stores update at once',
    async prove(store, expect, open) {
      const stores = [store, await open(), await open()];
      const add = (value = 0): number => value + 1;
      await Promise.all(
        stores.flatMap((each) => {
          const counters = each.collection('counters', Number);
          return Array.from({ length: 5 }, () => counters.update('a', add));
        }),
      );
      expect((await store.collection('counters', Number).get('a'))?.value).toEqual(15);
    },
  },
  {
    name: 'notifies watchers of the writes and deletions of other stores, each key once and in order',
    async prove(store, expect, open) {
      const recorder = await recordChanges(store.collection('notes', anything));
      const there = await open();
      const notes = there.collection('notes', anything);
      const keys = Array.from({ length: 50 }, (_, index) => `key ${index}`);
      for (const key of keys) await notes.set(key, 1);
      await notes.delete('key 7');
      await store.collection('notes', anything).set('end', 1);
      await Promise.all([
        ...keys.map((key) => recorder.waitFor(key === 'key 7' ? 'delete' : 'set', key)),
        recorder.waitFor('set', 'end'),
      ]);
      const versions = recorder.changes.map((change) => change.version);
      expect(versions).toEqual(versions.toSorted((left, right) => left - right));
      expect(new Set(versions).size).toEqual(versions.length);
    },
  },
  {
    name: 'shows all or none of the batch of another store',
    async prove(store, expect, open) {
      const there = await open();
      const notes = there.collection('notes', anything);
      const pairs = store.collection('notes', anything);
      const isOver = new AbortController();
      const write = async (): Promise<void> => {
        for (let round = 0; round < 30; round += 1) {
          await there.batch(['a', 'b'].map((key) => ({ kind: 'set', collection: notes, key, value: round })));
        }
        isOver.abort();
      };
      const torn: unknown[] = [];
      const read = async (): Promise<void> => {
        while (!isOver.signal.aborted) {
          const [a, b] = (await pairs.list()).documents;
          if (a?.value !== b?.value) torn.push([a, b]);
        }
      };
      await Promise.all([write(), read()]);
      expect(torn).toEqual([]);
    },
  },
];
