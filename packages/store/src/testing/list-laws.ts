import type { Collection } from '../documents/store.ts';
import type { Law } from './law.ts';
import { anything, codeOf } from './law-recorder.ts';

/** Keys in the order of code points, which differs from JavaScript's order of code units. */
const ordered = ['!', 'A', 'Z', 'a', 'a!', 'aa', 'b', '~', 'é', '漢', '\ud7ff', '\uffee', '\uffff', '😀', '\u{10ffff}'];

/** Lists are sorted, filtered by prefix and paged. */
export const listLaws: readonly Law[] = [
  {
    name: 'lists documents by code point, regardless of the order of writes',
    async prove(store, expect) {
      const notes = store.collection('notes', anything);
      for (const key of ordered.toReversed()) await notes.set(key, key);
      const { documents, next, unreadable } = await notes.list();
      expect(documents.map(({ key }) => key)).toEqual(ordered);
      expect(documents.map(({ value }) => value)).toEqual(ordered);
      expect([next, unreadable]).toEqual([undefined, []]);
      expect(documents[3]).toEqual(await notes.get('a'));
    },
  },
  {
    name: 'lists by a literal prefix without wildcards',
    async prove(store, expect) {
      const notes = store.collection('notes', anything);
      const keys = [
        'a',
        'a%',
        'a%b',
        'aXb',
        'a_b',
        'ab',
        'b',
        'c\u{10ffff}',
        'c\u{10ffff}d',
        'd',
        '\ud7ffa',
        '\ue000',
        '\u{10ffff}a',
      ];
      for (const key of keys) await notes.set(key, 1);
      for (const prefix of ['', 'a', 'a%', 'a_', 'ab', 'c\u{10ffff}', '\ud7ff', '\u{10ffff}', 'nothing']) {
        const { documents } = await notes.list(prefix);
        expect(documents.map(({ key }) => key)).toEqual(keys.filter((key) => key.startsWith(prefix)));
      }
    },
  },
  {
    name: 'lists each document once across pages',
    async prove(store, expect) {
      const notes = store.collection('notes', anything);
      const keys = Array.from({ length: 25 }, (_, index) => `note/${String(index).padStart(2, '0')}`);
      await store.batch(keys.map((key) => ({ kind: 'set', collection: notes, key, value: key })));
      await notes.set('other', 1);
      for (const limit of [1, 7, 25, 26]) expect(await listKeys(notes, 'note/', limit)).toEqual(keys);
      expect((await notes.list('note/', { limit: 25 })).next).toEqual(undefined);
      expect((await notes.list('note/', { limit: 24 })).next).toEqual(keys[23]);
    },
  },
  {
    name: 'continues after a key that was deleted in the meantime',
    async prove(store, expect) {
      const notes = store.collection('notes', anything);
      for (const key of ['a', 'b', 'c', 'd']) await notes.set(key, 1);
      const { next } = await notes.list('', { limit: 2 });
      await notes.delete('b');
      await notes.set('aa', 1);
      const { documents } = await notes.list('', { after: next });
      expect(documents.map(({ key }) => key)).toEqual(['c', 'd']);
    },
  },
  {
    name: 'lists 100 documents by default and rejects an invalid limit',
    async prove(store, expect) {
      const notes = store.collection('notes', anything);
      const writes = Array.from({ length: 101 }, (_, index) => `${index}`);
      await store.batch(writes.map((key) => ({ kind: 'set', collection: notes, key, value: 1 })));
      expect((await notes.list()).documents.length).toEqual(100);
      expect((await notes.list('', { limit: 1_000 })).documents.length).toEqual(101);
      for (const limit of [0, -1, 1.5, 1_001, Number.NaN, '1' as never]) {
        expect(await codeOf(() => notes.list('', { limit }))).toEqual('INVALID_OPTION');
      }
      expect(await codeOf(() => notes.list('a\u0000'))).toEqual('INVALID_KEY');
      expect(await codeOf(() => notes.list('', { after: 'a\u0000' }))).toEqual('INVALID_KEY');
    },
  },
];

async function listKeys(notes: Collection<unknown>, prefix: string, limit: number): Promise<readonly string[]> {
  const keys: string[] = [];
  for (let after: string | undefined, more = true; more;) {
    const page = await notes.list(prefix, { limit, after });
    keys.push(...page.documents.map(({ key }) => key));
    after = page.next;
    more = after !== undefined;
  }
  return keys;
}
