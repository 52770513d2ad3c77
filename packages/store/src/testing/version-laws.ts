import type { Law } from './law.ts';
import { anything, codeOf } from './law-recorder.ts';

/** Compare-and-set: one of several writers that saw the same version succeeds. */
export const versionLaws: readonly Law[] = [
  {
    name: 'assigns increasing versions across keys, collections and deletions',
    async prove(store, expect) {
      const notes = store.collection('notes', anything);
      const others = store.collection('others', anything);
      const versions: number[] = [];
      const write = async (collection = notes, key = 'a'): Promise<void> => {
        const written = await collection.set(key, 1);
        versions.push(written.ok ? written.document.version : 0);
      };
      await write();
      await write();
      await write(others);
      await write(notes, 'b');
      await notes.delete('a');
      await write();
      expect(versions.every((version, index) => version > (versions[index - 1] ?? 0))).toEqual(true);
      expect((await notes.get('a'))?.version).toEqual(versions.at(-1));
    },
  },
  {
    name: 'writes with ifVersion 0 only if the document does not exist',
    async prove(store, expect) {
      const notes = store.collection('notes', anything);
      const first = await notes.set('a', 1, { ifVersion: 0 });
      const second = await notes.set('a', 2, { ifVersion: 0 });
      expect([first.ok, second.ok, (await notes.get('a'))?.value]).toEqual([true, false, 1]);
      await notes.delete('a');
      expect((await notes.set('a', 3, { ifVersion: 0 })).ok).toEqual(true);
    },
  },
  {
    name: 'writes with ifVersion only over that version, and returns the current one on a conflict',
    async prove(store, expect) {
      const notes = store.collection('notes', anything);
      const first = await notes.set('a', 1);
      const version = first.ok ? first.document.version : 0;
      const second = await notes.set('a', 2, { ifVersion: version });
      const third = await notes.set('a', 3, { ifVersion: version });
      expect([second.ok, third.ok, (await notes.get('a'))?.value]).toEqual([true, false, 2]);
      expect(!third.ok && [third.code, third.currentVersion]).toEqual([
        'CONFLICT',
        second.ok ? second.document.version : 0,
      ]);
      expect(!third.ok && third.hint !== '' && third.message.includes('"a"')).toEqual(true);
      const missing = await notes.set('never', 1, { ifVersion: version });
      expect(!missing.ok && missing.currentVersion).toEqual(0);
      expect(await notes.get('never')).toEqual(undefined);
    },
  },
  {
    name: 'deletes with ifVersion only that version',
    async prove(store, expect) {
      const notes = store.collection('notes', anything);
      const first = await notes.set('a', 1);
      const version = first.ok ? first.document.version : 0;
      await notes.set('a', 2);
      const stale = await notes.delete('a', { ifVersion: version });
      const current = (await notes.get('a'))?.version ?? 0;
      expect(!stale.ok && stale.currentVersion).toEqual(current);
      expect((await notes.get('a'))?.value).toEqual(2);
      expect(await notes.delete('a', { ifVersion: current })).toEqual({ ok: true, existed: true });
      const gone = await notes.delete('a', { ifVersion: current });
      expect(!gone.ok && gone.currentVersion).toEqual(0);
      expect(await notes.delete('a', { ifVersion: 0 })).toEqual({ ok: true, existed: false });
    },
  },
  {
    name: 'does not mistake a recreated document for the deleted one',
    async prove(store, expect) {
      const notes = store.collection('notes', anything);
      const first = await notes.set('a', 'old');
      await notes.delete('a');
      await notes.set('a', 'new');
      const late = await notes.set('a', 'late', { ifVersion: first.ok ? first.document.version : 0 });
      expect([late.ok, (await notes.get('a'))?.value]).toEqual([false, 'new']);
    },
  },
  {
    name: 'rejects an invalid ifVersion',
    async prove(store, expect) {
      const notes = store.collection('notes', anything);
      for (const ifVersion of [-1, 1.5, Number.NaN, 2 ** 53, '1' as never, null as never]) {
        expect(await codeOf(() => notes.set('a', 1, { ifVersion }))).toEqual('INVALID_OPTION');
        expect(await codeOf(() => notes.delete('a', { ifVersion }))).toEqual('INVALID_OPTION');
      }
      expect(await notes.get('a')).toEqual(undefined);
    },
  },
  {
    name: 'accepts one of many concurrent writes over the same version',
    async prove(store, expect) {
      const notes = store.collection('notes', anything);
      const attempts = await Promise.all(
        Array.from({ length: 20 }, (_, index) => notes.set('a', index, { ifVersion: 0 })),
      );
      const won = attempts.flatMap((attempt, index) => (attempt.ok ? [index] : []));
      expect(won.length).toEqual(1);
      expect((await notes.get('a'))?.value).toEqual(won[0]);
    },
  },
  {
    name: 'loses no concurrent update',
    async prove(store, expect) {
      const counters = store.collection('counters', Number);
      const add = (value = 0): number => value + 1;
      await Promise.all(Array.from({ length: 20 }, () => counters.update('a', add)));
      expect((await counters.get('a'))?.value).toEqual(20);
    },
  },
];
