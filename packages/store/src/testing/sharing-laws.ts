import type { Law } from './law.ts';
import { anything, listen } from './observe.ts';

/** What several stores over one place owe each other. */
export const sharingLaws: readonly Law[] = [
  {
    name: 'keeps documents when it is closed and opened again, versions and all',
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
    name: 'shows a write to the others as soon as it was acknowledged',
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
    name: 'lets one store win where several write over the same version',
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
    name: 'loses no update of several stores at once',
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
    name: 'tells watchers of what other stores wrote and removed, each key once and in order',
    async prove(store, expect, open) {
      const hearing = await listen(store.collection('notes', anything));
      const there = await open();
      const notes = there.collection('notes', anything);
      const keys = Array.from({ length: 50 }, (_, index) => `key ${index}`);
      for (const key of keys) await notes.set(key, 1);
      await notes.delete('key 7');
      await store.collection('notes', anything).set('end', 1);
      await Promise.all([
        ...keys.map((key) => hearing.hears(key === 'key 7' ? 'delete' : 'set', key)),
        hearing.hears('set', 'end'),
      ]);
      const versions = hearing.changes.map((change) => change.version);
      expect(versions).toEqual(versions.toSorted((left, right) => left - right));
      expect(new Set(versions).size).toEqual(versions.length);
    },
  },
  {
    name: 'shows a batch of another store whole or not at all',
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
