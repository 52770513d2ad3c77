import type { Law } from './law.ts';
import { anything, codeOf } from './law-recorder.ts';

interface Note {
  readonly title: string;
  readonly tags: readonly string[];
}

function toNote(value: unknown): Note {
  const { title, tags } = (value ?? {}) as Partial<Note>;
  if (typeof title !== 'string') throw new Error('title: must be a string');
  if (!Array.isArray(tags)) throw new Error('tags: must be an array');
  return { title, tags };
}

/** The second version turned the text into an object; the third added tags. */
const migrations = [
  (value: unknown): unknown => ({ title: value }),
  (value: unknown): unknown => ({ ...(value as object), tags: [] }),
];

/** Documents match the schema of their collection and are migrated with it. */
export const schemaLaws: readonly Law[] = [
  {
    name: 'stores the output of the schema and rejects invalid values',
    async prove(store, expect) {
      const notes = store.collection('notes', toNote);
      await notes.set('a', { title: 'one', tags: [], more: 1 } as Note);
      expect((await store.collection('notes', anything).get('a'))?.value).toEqual({ title: 'one', tags: [] });
      expect(await codeOf(() => notes.set('a', { title: 'two' } as never))).toEqual('INVALID_DOCUMENT');
      expect(await codeOf(() => notes.update('a', () => undefined as never))).toEqual('INVALID_DOCUMENT');
      expect((await notes.get('a'))?.value.title).toEqual('one');
    },
  },
  {
    name: 'migrates an old document step by step when it is read, without writing it back',
    async prove(store, expect) {
      const first = store.collection('notes', String);
      const written = await first.set('a', 'one');
      const version = written.ok ? written.document.version : 0;
      const third = store.collection('notes', toNote, { migrations });
      const expected = { title: 'one', tags: [] };
      expect(await third.get('a')).toEqual({ ...(written.ok ? written.document : {}), value: expected });
      expect((await third.list()).documents.map(({ value }) => value)).toEqual([expected]);
      expect((await first.get('a'))?.value).toEqual('one');
      await third.set('a', { title: 'two', tags: ['x'] }, { ifVersion: version });
      expect((await third.get('a'))?.value).toEqual({ title: 'two', tags: ['x'] });
    },
  },
  {
    name: 'neither reads nor overwrites a document of a newer schema',
    async prove(store, expect) {
      const newer = store.collection('notes', toNote, { migrations });
      const older = store.collection('notes', anything, { migrations: migrations.slice(0, 1) });
      await newer.set('a', { title: 'new', tags: [] });
      await older.set('b', { title: 'old' });
      expect(await codeOf(() => older.get('a'))).toEqual('NEWER_VERSION');
      expect(await codeOf(() => older.set('a', { title: 'lost' }))).toEqual('NEWER_VERSION');
      const version = (await newer.get('a'))?.version ?? 0;
      expect(await codeOf(() => older.set('a', { title: 'lost' }, { ifVersion: version }))).toEqual('NEWER_VERSION');
      const writes = [{ kind: 'set', collection: older, key: 'a', value: { title: 'lost' } }] as const;
      expect(await codeOf(() => store.batch(writes))).toEqual('NEWER_VERSION');
      const page = await older.list();
      expect(page.documents.map(({ key }) => key)).toEqual(['b']);
      expect(page.unreadable.map(({ key, error }) => [key, error.code])).toEqual([['a', 'NEWER_VERSION']]);
      expect((await newer.get('a'))?.value.title).toEqual('new');
    },
  },
  {
    name: 'reports a failed migration and does not change the document',
    async prove(store, expect) {
      const first = store.collection('notes', anything);
      await first.set('a', 7);
      const fails = (): never => {
        throw new Error('no such note');
      };
      const failing = store.collection('notes', toNote, { migrations: [fails] });
      const misfit = store.collection('notes', toNote, { migrations: [anything] });
      expect(await codeOf(() => failing.get('a'))).toEqual('MIGRATION_FAILED');
      expect(await codeOf(() => misfit.get('a'))).toEqual('MIGRATION_FAILED');
      expect((await misfit.list()).unreadable.map(({ error }) => error.code)).toEqual(['MIGRATION_FAILED']);
      expect((await first.get('a'))?.value).toEqual(7);
    },
  },
  {
    name: 'reports a document that no longer matches its schema',
    async prove(store, expect) {
      await store.collection('notes', anything).set('a', { title: 7 });
      expect(await codeOf(() => store.collection('notes', toNote).get('a'))).toEqual('INVALID_DOCUMENT');
      expect(await codeOf(() => store.collection('notes', { no: 'schema' } as never))).toEqual('INVALID_OPTION');
    },
  },
  {
    name: 'supports asynchronous schemas and migrations',
    async prove(store, expect) {
      await store.collection('notes', anything).set('a', 'one');
      const later = store.collection('notes', async (value) => toNote(await value), {
        migrations: [async (value) => ({ title: await value, tags: [] })],
      });
      expect((await later.get('a'))?.value).toEqual({ title: 'one', tags: [] });
      expect(await codeOf(() => later.set('b', 7 as never))).toEqual('INVALID_DOCUMENT');
    },
  },
];
