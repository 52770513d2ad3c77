import type { Law } from './law.ts';
import { anything, codeOf, listen } from './observe.ts';

/** Watchers hear of every document that changed. */
export const watchLaws: readonly Law[] = [
  {
    name: 'tells of documents that were set and removed after it began, with their versions',
    async prove(store, expect) {
      const notes = store.collection('notes', anything);
      await notes.set('before', 1);
      const hearing = await listen(notes);
      await notes.set('a', 1);
      await hearing.hears('set', 'a');
      const written = await notes.set('a', 2);
      const version = written.ok ? written.document.version : 0;
      await hearing.hears('set', 'a', version);
      await notes.delete('a');
      await hearing.hears('delete', 'a', version + 1);
      await notes.delete('a');
      await notes.set('end', 1);
      await hearing.hears('set', 'end');
      expect(hearing.changes.map((change) => [change.kind, 'key' in change && change.key])).toEqual([
        ['set', 'a'],
        ['set', 'a'],
        ['delete', 'a'],
        ['set', 'end'],
      ]);
      const versions = hearing.changes.map((change) => change.version);
      expect(versions).toEqual(versions.toSorted((left, right) => left - right));
      expect(new Set(versions).size).toEqual(4);
    },
  },
  {
    name: 'tells of keys with the prefix, of its own collection, and of no others',
    async prove(store, expect) {
      const [notes, others] = [store.collection('notes', anything), store.collection('others', anything)];
      const hearing = await listen(notes, 'a/');
      await others.set('a/1', 1);
      await notes.set('a', 1);
      await notes.set('b/1', 1);
      await notes.set('a/1', 1);
      await hearing.hears('set', 'a/1');
      expect(hearing.changes.length).toEqual(1);
      expect(await codeOf(() => notes.watch('a\u0000', () => undefined))).toEqual('INVALID_KEY');
      expect(await codeOf(() => notes.watch('', 'no function' as never))).toEqual('INVALID_OPTION');
    },
  },
  {
    name: 'tells of every key of many that change at once',
    async prove(store, expect) {
      const notes = store.collection('notes', anything);
      const hearing = await listen(notes);
      const keys = Array.from({ length: 100 }, (_, index) => `key ${index}`);
      await Promise.all(keys.map((key) => notes.set(key, 1)));
      await store.batch(keys.map((key) => ({ kind: 'set', collection: notes, key: `${key} again`, value: 1 })));
      for (const key of keys) {
        await hearing.hears('set', key);
        await hearing.hears('set', `${key} again`);
      }
      expect(hearing.changes.length).toEqual(200);
    },
  },
  {
    name: 'tells nothing of writes that were refused',
    async prove(store, expect) {
      const notes = store.collection('notes', anything);
      await notes.set('a', 1);
      const hearing = await listen(notes);
      await notes.set('a', 2, { ifVersion: 0 });
      await store.batch([
        { kind: 'set', collection: notes, key: 'b', value: 1 },
        { kind: 'set', collection: notes, key: 'a', value: 1, ifVersion: 0 },
      ]);
      await notes.set('end', 1);
      await hearing.hears('set', 'end');
      expect(hearing.changes.length).toEqual(1);
    },
  },
  {
    name: 'tells nothing once it was closed, and the others go on',
    async prove(store, expect) {
      const notes = store.collection('notes', anything);
      const [closed, other] = [await listen(notes), await listen(notes)];
      await notes.set('a', 1);
      await Promise.all([closed.hears('set', 'a'), other.hears('set', 'a')]);
      closed.watch.close();
      closed.watch.close();
      await notes.set('b', 1);
      await other.hears('set', 'b');
      expect([closed.changes.length, other.changes.length]).toEqual([1, 2]);
      other.watch.close();
      const later = await listen(notes);
      await notes.set('c', 1);
      await later.hears('set', 'c');
      expect([other.changes.length, later.changes.length]).toEqual([2, 1]);
    },
  },
  {
    name: 'tells the others when a listener throws',
    async prove(store, expect) {
      const notes = store.collection('notes', anything);
      const failures = [new Error('at once'), new Error('later')];
      let heard = 0;
      await notes.watch('', () => {
        heard += 1;
        throw failures[0];
      });
      await notes.watch('', () => Promise.reject(failures[1]));
      const hearing = await listen(notes);
      await notes.set('a', 1);
      await notes.set('b', 1);
      await Promise.all([hearing.hears('set', 'a'), hearing.hears('set', 'b')]);
      expect([heard, hearing.changes.length]).toEqual([2, 2]);
    },
  },
];
