import type { BatchWrite } from '../documents/store.ts';
import type { Law } from './law.ts';
import { anything, codeOf } from './law-recorder.ts';

/** Batches are atomic. */
export const batchLaws: readonly Law[] = [
  {
    name: 'applies all writes of a batch across collections and returns their versions in order',
    async prove(store, expect) {
      const [notes, others] = [store.collection('notes', anything), store.collection('others', anything)];
      await notes.set('old', 1);
      const result = await store.batch([
        { kind: 'set', collection: notes, key: 'a', value: 1, ifVersion: 0 },
        { kind: 'delete', collection: notes, key: 'never' },
        { kind: 'set', collection: others, key: 'a', value: 2 },
        { kind: 'delete', collection: notes, key: 'old' },
      ]);
      const versions = result.ok ? result.versions : [];
      expect([versions.length, versions[1]]).toEqual([4, 0]);
      expect([(await notes.get('a'))?.version, (await others.get('a'))?.version]).toEqual([versions[0], versions[2]]);
      expect((versions[0] ?? 0) < (versions[2] ?? 0) && (versions[2] ?? 0) < (versions[3] ?? 0)).toEqual(true);
      expect(await notes.get('old')).toEqual(undefined);
    },
  },
  {
    name: 'applies no write if a version differs from the expected one, and lists every conflict',
    async prove(store, expect) {
      const notes = store.collection('notes', anything);
      const kept = await notes.set('kept', 1);
      const version = kept.ok ? kept.document.version : 0;
      const result = await store.batch([
        { kind: 'set', collection: notes, key: 'a', value: 1 },
        { kind: 'delete', collection: notes, key: 'kept', ifVersion: version + 1 },
        { kind: 'set', collection: notes, key: 'b', value: 1 },
        { kind: 'set', collection: notes, key: 'missing', value: 1, ifVersion: version },
      ]);
      expect(!result.ok && [result.code, result.conflicts]).toEqual([
        'CONFLICT',
        [
          { index: 1, currentVersion: version },
          { index: 3, currentVersion: 0 },
        ],
      ]);
      expect((await notes.list()).documents.map(({ key, version: found }) => [key, found])).toEqual([
        ['kept', version],
      ]);
    },
  },
  {
    name: 'applies no write if a value is invalid',
    async prove(store, expect) {
      const notes = store.collection('notes', anything);
      const writes: readonly BatchWrite[] = [
        { kind: 'set', collection: notes, key: 'a', value: 1 },
        { kind: 'set', collection: notes, key: 'b', value: Number.NaN },
      ];
      expect(await codeOf(() => store.batch(writes))).toEqual('INVALID_DOCUMENT');
      expect(await notes.get('a')).toEqual(undefined);
    },
  },
  {
    name: 'accepts 1,000 writes and an empty batch',
    async prove(store, expect) {
      const notes = store.collection('notes', anything);
      const writes = Array.from({ length: 1_000 }, (_, index): BatchWrite => {
        return { kind: 'set', collection: notes, key: `key ${index}`, value: { index } };
      });
      const result = await store.batch(writes);
      expect(result.ok && new Set(result.versions).size).toEqual(1_000);
      expect((await notes.list('', { limit: 1_000 })).documents.length).toEqual(1_000);
      expect(await store.batch([])).toEqual({ ok: true, versions: [] });
    },
  },
  {
    name: 'rejects a batch that is too long, writes a document twice or contains an invalid write',
    async prove(store, expect) {
      const notes = store.collection('notes', anything);
      const write: BatchWrite = { kind: 'set', collection: notes, key: 'a', value: 1 };
      const many = Array.from({ length: 1_001 }, (_, index): BatchWrite => ({ ...write, key: `${index}` }));
      const wrong: readonly (readonly BatchWrite[])[] = [
        many,
        [write, { kind: 'delete', collection: notes, key: 'a' }],
        [{ ...write, kind: 'replace' as never }],
        [{ ...write, collection: { name: 'notes' } }],
        write as never,
      ];
      for (const writes of wrong) expect(await codeOf(() => store.batch(writes))).toEqual('INVALID_OPTION');
      expect((await notes.list()).documents).toEqual([]);
    },
  },
];
