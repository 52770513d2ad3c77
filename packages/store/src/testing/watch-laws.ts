import type { Law } from './law.ts';
import { anything, codeOf, recordChanges } from './law-recorder.ts';

/** Watchers receive every change. */
export const watchLaws: readonly Law[] = [
  {
    name: 'reports documents that were set and deleted after it began, with their versions',
    async prove(store, expect) {
      const notes = store.collection('notes', anything);
      await notes.set('before', 1);
      const recorder = await recordChanges(notes);
      await notes.set('a', 1);
      await recorder.waitFor('set', 'a');
      const written = await notes.set('a', 2);
      const version = written.ok ? written.document.version : 0;
      await recorder.waitFor('set', 'a', version);
      await notes.delete('a');
      await recorder.waitFor('delete', 'a', version + 1);
      await notes.delete('a');
      await notes.set('end', 1);
      await recorder.waitFor('set', 'end');
      expect(recorder.changes.map((change) => [change.kind, 'key' in change && change.key])).toEqual([
        ['set', 'a'],
        ['set', 'a'],
        ['delete', 'a'],
        ['set', 'end'],
      ]);
      const versions = recorder.changes.map((change) => change.version);
      expect(versions).toEqual(versions.toSorted((left, right) => left - right));
      expect(new Set(versions).size).toEqual(4);
    },
  },
  {
    name: 'reports only keys with the prefix in its own collection',
    async prove(store, expect) {
      const [notes, others] = [store.collection('notes', anything), store.collection('others', anything)];
      const recorder = await recordChanges(notes, 'a/');
      await others.set('a/1', 1);
      await notes.set('a', 1);
      await notes.set('b/1', 1);
      await notes.set('a/1', 1);
      await recorder.waitFor('set', 'a/1');
      expect(recorder.changes.length).toEqual(1);
      expect(await codeOf(() => notes.watch('a\u0000', () => undefined))).toEqual('INVALID_KEY');
      expect(await codeOf(() => notes.watch('', 'no function' as never))).toEqual('INVALID_OPTION');
    },
  },
  {
    name: 'reports every key of many concurrent changes',
    async prove(store, expect) {
      const notes = store.collection('notes', anything);
      const recorder = await recordChanges(notes);
      const keys = Array.from({ length: 100 }, (_, index) => `key ${index}`);
      await Promise.all(keys.map((key) => notes.set(key, 1)));
      await store.batch(keys.map((key) => ({ kind: 'set', collection: notes, key: `${key} again`, value: 1 })));
      for (const key of keys) {
        await recorder.waitFor('set', key);
        await recorder.waitFor('set', `${key} again`);
      }
      expect(recorder.changes.length).toEqual(200);
    },
  },
  {
    name: 'does not report rejected writes',
    async prove(store, expect) {
      const notes = store.collection('notes', anything);
      await notes.set('a', 1);
      const recorder = await recordChanges(notes);
      await notes.set('a', 2, { ifVersion: 0 });
      await store.batch([
        { kind: 'set', collection: notes, key: 'b', value: 1 },
        { kind: 'set', collection: notes, key: 'a', value: 1, ifVersion: 0 },
      ]);
      await notes.set('end', 1);
      await recorder.waitFor('set', 'end');
      expect(recorder.changes.length).toEqual(1);
    },
  },
  {
    name: 'reports no change after it is closed, while other watches continue',
    async prove(store, expect) {
      const notes = store.collection('notes', anything);
      const [closed, other] = [await recordChanges(notes), await recordChanges(notes)];
      await notes.set('a', 1);
      await Promise.all([closed.waitFor('set', 'a'), other.waitFor('set', 'a')]);
      closed.watch.close();
      closed.watch.close();
      await notes.set('b', 1);
      await other.waitFor('set', 'b');
      expect([closed.changes.length, other.changes.length]).toEqual([1, 2]);
      other.watch.close();
      const later = await recordChanges(notes);
      await notes.set('c', 1);
      await later.waitFor('set', 'c');
      expect([other.changes.length, later.changes.length]).toEqual([2, 1]);
    },
  },
  {
    name: 'calls the other listeners if one throws',
    async prove(store, expect) {
      const notes = store.collection('notes', anything);
      const failures = [new Error('at once'), new Error('later')];
      let calls = 0;
      await notes.watch('', () => {
        calls += 1;
        throw failures[0];
      });
      await notes.watch('', () => Promise.reject(failures[1]));
      const recorder = await recordChanges(notes);
      await notes.set('a', 1);
      await notes.set('b', 1);
      await Promise.all([recorder.waitFor('set', 'a'), recorder.waitFor('set', 'b')]);
      expect([calls, recorder.changes.length]).toEqual([2, 2]);
    },
  },
];
