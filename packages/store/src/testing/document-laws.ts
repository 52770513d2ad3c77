import type { Law } from './law.ts';
import { anything, codeOf } from './law-recorder.ts';

const values: readonly unknown[] = [
  null,
  false,
  0,
  -1.5e-7,
  Number.MAX_SAFE_INTEGER,
  '',
  'half \ud83d a pair, a zero \u0000, a line\u2028 and 😀',
  [],
  {},
  [1, [2, [null]], { a: [] }],
  { a: { b: { c: 'd' } }, '': 0, 'a.b': 1, constructor: 2, toString: 3 },
];

const hostileKeys = [
  '__proto__',
  'constructor',
  "'; drop table haft_documents; --",
  '%',
  '_',
  '*',
  '../../etc/passwd',
  'a/b/c',
  ' ',
  '😀',
  'é',
  'e\u0301',
  'k'.repeat(1_024),
  '漢'.repeat(341),
];

/** Documents can be stored, read, replaced and deleted. */
export const documentLaws: readonly Law[] = [
  {
    name: 'returns undefined for a document that was never stored',
    async prove(store, expect) {
      expect(await store.collection('notes', anything).get('a')).toEqual(undefined);
    },
  },
  {
    name: 'returns every kind of JSON value unchanged',
    async prove(store, expect) {
      const notes = store.collection('notes', anything);
      for (const [index, value] of values.entries()) {
        const written = await notes.set(`key ${index}`, value);
        const read = await notes.get(`key ${index}`);
        expect(read?.value).toEqual(value);
        expect(written.ok && written.document).toEqual(read);
      }
    },
  },
  {
    name: 'stores a property named __proto__ as data',
    async prove(store, expect) {
      const notes = store.collection('notes', anything);
      const text = '{"__proto__":{"polluted":true},"list":[{"__proto__":1}]}';
      await notes.set('a', JSON.parse(text));
      const read = await notes.get('a');
      expect(JSON.stringify(read?.value)).toEqual(text);
      expect(({} as { polluted?: boolean }).polluted).toEqual(undefined);
    },
  },
  {
    name: 'distinguishes keys that contain SQL, paths or Unicode variants',
    async prove(store, expect) {
      const notes = store.collection('notes', anything);
      for (const key of hostileKeys) await notes.set(key, { key });
      for (const key of hostileKeys) expect((await notes.get(key))?.value).toEqual({ key });
    },
  },
  {
    name: 'rejects keys that are empty, too long, or contain control characters or lone surrogates',
    async prove(store, expect) {
      const notes = store.collection('notes', anything);
      for (const key of ['', 'k'.repeat(1_025), '漢'.repeat(342), 'a\u0000b', 'a\nb', 'half \ud83d', 7 as never]) {
        expect(await codeOf(() => notes.set(key, 1))).toEqual('INVALID_KEY');
        expect(await codeOf(() => notes.get(key))).toEqual('INVALID_KEY');
        expect(await codeOf(() => notes.delete(key))).toEqual('INVALID_KEY');
      }
      expect((await notes.list()).documents).toEqual([]);
    },
  },
  {
    name: 'rejects invalid collection names',
    async prove(store, expect) {
      for (const name of [
        '',
        'A',
        '__proto__',
        'a b',
        'a..b',
        '/a',
        'a/',
        "a'",
        'ä',
        'a\u0000',
        'a'.repeat(65),
        7 as never,
      ]) {
        expect(await codeOf(() => store.collection(name, anything))).toEqual('INVALID_COLLECTION');
      }
      for (const name of ['a', 'constructor', 'mcp/connections', 'a.b-c_d/e', 'a'.repeat(64)]) {
        await store.collection(name, anything).set('a', name);
        expect((await store.collection(name, anything).get('a'))?.value).toEqual(name);
      }
    },
  },
  {
    name: 'rejects values that JSON would silently change',
    async prove(store, expect) {
      const notes = store.collection('notes', anything);
      const holey: unknown[] = [];
      holey[1] = 1;
      const lost = [undefined, Number.NaN, Infinity, 1n, () => 1, Symbol('a'), new Date(0), new Map(), holey];
      for (const value of lost) {
        expect(await codeOf(() => notes.set('a', value))).toEqual('INVALID_DOCUMENT');
        expect(await codeOf(() => notes.set('a', { deep: [value] }))).toEqual('INVALID_DOCUMENT');
      }
      expect(await notes.get('a')).toEqual(undefined);
      await notes.set('a', { left: undefined, right: 1 });
      expect((await notes.get('a'))?.value).toEqual({ right: 1 });
    },
  },
  {
    name: 'rejects values that are too deep, too large or circular',
    async prove(store, expect) {
      const notes = store.collection('notes', anything);
      const nest = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
      const circle: Record<string, unknown> = {};
      circle['self'] = circle;
      let shared: unknown = 1;
      for (let level = 0; level < 60; level += 1) shared = [shared, shared];
      for (const value of [nest(101), circle, shared, 'x'.repeat(1_048_577), '漢'.repeat(400_000)]) {
        expect(await codeOf(() => notes.set('a', value))).toEqual('DOCUMENT_TOO_LARGE');
      }
      for (const value of [nest(100), 'x'.repeat(1_048_574)]) {
        await notes.set('a', value);
        expect((await notes.get('a'))?.value).toEqual(value);
      }
    },
  },
  {
    name: 'is not affected when the caller or a reader changes a value later',
    async prove(store, expect) {
      const notes = store.collection('notes', (value) => value as { tags: string[] });
      const value = { tags: ['a'] };
      const written = await notes.set('a', value);
      value.tags.push('b');
      if (written.ok) written.document.value.tags.push('c');
      (await notes.get('a'))?.value.tags.push('d');
      expect((await notes.get('a'))?.value).toEqual({ tags: ['a'] });
    },
  },
  {
    name: 'separates collections',
    async prove(store, expect) {
      const [one, two] = [store.collection('one', anything), store.collection('two', anything)];
      await one.set('a', 1);
      await two.set('a', 2);
      await one.delete('a');
      expect([await one.get('a'), (await two.get('a'))?.value]).toEqual([undefined, 2]);
    },
  },
  {
    name: 'deletes a document, and reports a missing one without an error',
    async prove(store, expect) {
      const notes = store.collection('notes', anything);
      await notes.set('a', 1);
      expect(await notes.delete('a')).toEqual({ ok: true, existed: true });
      expect(await notes.delete('a')).toEqual({ ok: true, existed: false });
      expect(await notes.delete('never')).toEqual({ ok: true, existed: false });
      expect(await notes.get('a')).toEqual(undefined);
      expect((await notes.list()).documents).toEqual([]);
    },
  },
  {
    name: 'returns the time of the write',
    async prove(store, expect) {
      const notes = store.collection('notes', anything);
      const written = await notes.set('a', 1);
      const updatedAt = written.ok ? written.document.updatedAt : '';
      expect(new Date(updatedAt).toISOString()).toEqual(updatedAt);
      // The time may come from a server, whose clock may differ from the local clock by minutes.
      expect(Math.abs(Date.parse(updatedAt) - Date.now()) < 600_000).toEqual(true);
    },
  },
  {
    name: 'settles every pending call when it is closed',
    async prove(store, expect) {
      const notes = store.collection('notes', anything);
      const pending = Array.from({ length: 20 }, (_, index) => [
        codeOf(() => notes.set(`${index}`, index)),
        codeOf(() => notes.get(`${index}`)),
        codeOf(() => notes.list()),
        codeOf(() => notes.watch('', () => undefined)),
      ]).flat();
      await store.close();
      const codes = new Set(await Promise.all(pending));
      expect([...codes].filter((code) => code !== 'none' && code !== 'CLOSED')).toEqual([]);
    },
  },
  {
    name: 'rejects every call after it is closed, and closes only once',
    async prove(store, expect) {
      const notes = store.collection('notes', anything);
      await notes.set('a', 1);
      await Promise.all([store.close(), store.close()]);
      const attempts = [
        () => notes.get('a'),
        () => notes.set('a', 2),
        () => notes.update('a', () => 2),
        () => notes.delete('a'),
        () => notes.list(),
        () => notes.watch('', () => undefined),
        () => store.batch([{ kind: 'delete', collection: notes, key: 'a' }]),
        () => store.collection('notes', anything),
      ];
      for (const attempt of attempts) expect(await codeOf(attempt)).toEqual('CLOSED');
    },
  },
];
