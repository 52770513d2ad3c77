import { createStore, type Store } from '@haft/store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CatalogEntry, CatalogVersion } from './catalog-entry.ts';
import { createCatalog, type Catalog } from './create-catalog.ts';

let store: Store;
let catalog: Catalog;
beforeEach(async () => {
  store = await createStore({ url: 'memory:' });
  catalog = createCatalog({ store });
});
afterEach(() => store.close());

const version = (number: number): CatalogVersion => ({
  version: number,
  hash: `hash ${number}`,
  createdAt: '2026-11-22T00:00:00.000Z',
  capabilities: {},
  isTried: false,
});
const entry = (name: string, ...numbers: readonly number[]): CatalogEntry => ({
  name,
  version: numbers.at(-1) ?? 0,
  versions: numbers.map(version),
});
const source = (text: string): { files: { readonly 'index.mts': string }; described: null } => ({
  files: { 'index.mts': text },
  described: null,
});

describe('createCatalog', () => {
  it('writes an entry and its source atomically, and only over the version that was read', async () => {
    expect(await catalog.save(entry('one', 1), 0, source('first'))).toBe(true);
    expect(await catalog.save(entry('one', 1), 0, source('late'))).toBe(false);
    expect(await catalog.source('one', 1)).toEqual(source('first'));
    const { revision } = (await catalog.entry('one'))!;
    expect(await catalog.save(entry('one', 1, 2), revision, source('second'))).toBe(true);
    expect(await catalog.save(entry('one', 1, 3), revision, source('third'))).toBe(false);
    expect((await catalog.entry('one'))?.entry).toEqual(entry('one', 1, 2));
    expect(await catalog.source('one', 3)).toBeUndefined();
  });

  it('stores the newest 20 versions and deletes the source of older ones', async () => {
    const numbers = Array.from({ length: 30 }, (_, index) => index + 1);
    for (const number of numbers) {
      const kept = await catalog.entry('one');
      const versions = [...(kept?.entry.versions ?? []), version(number)];
      await catalog.save({ name: 'one', version: number, versions }, kept?.revision ?? 0, source(`${number}`));
    }
    const { entry: kept } = (await catalog.entry('one'))!;
    expect(kept.versions.map((one) => one.version)).toEqual(numbers.slice(-20));
    expect(await catalog.source('one', 10)).toBeUndefined();
    expect(await catalog.source('one', 11)).toEqual(source('11'));
  });

  it('moves a tool to the trash and back, each in one write', async () => {
    await catalog.save(entry('one', 1), 0, source('first'));
    const kept = (await catalog.entry('one'))!;
    expect(await catalog.discard({ ...kept, revision: kept.revision + 1 })).toBe(false);
    expect(await catalog.discard(kept)).toBe(true);
    expect([await catalog.entry('one'), (await catalog.discarded('one'))?.entry]).toEqual([undefined, kept.entry]);
    expect(await catalog.recover('one')).toBe(true);
    expect([(await catalog.entry('one'))?.entry, await catalog.discarded('one')]).toEqual([kept.entry, undefined]);
    expect(await catalog.recover('one')).toBe(false);
  });

  it('separates scopes, also if one name is a prefix of the other', async () => {
    const other = createCatalog({ store, scope: 'default.more' });
    await catalog.save(entry('one', 1), 0, source('first'));
    await other.save(entry('two', 1), 0, source('second'));
    await other.setPlugin('weather', { enabled: false });
    await other.descriptions.save('read', 'In other words.');
    expect((await catalog.entries()).found.map(({ entry: { name } }) => name)).toEqual(['one']);
    expect((await catalog.plugins()).size).toBe(0);
    expect([...(await catalog.descriptions.load())]).toEqual([]);
    expect([...(await other.descriptions.load())]).toEqual([['read', 'In other words.']]);
  });

  it('reports changes until the listener stops', async () => {
    const received: string[] = [];
    let wake: (() => void) | undefined;
    const stop = await catalog.watch((change) => {
      received.push('name' in change ? `${change.kind} ${change.name}` : change.kind);
      if (received.length === 3) wake?.();
    });
    const all = new Promise<void>((resolve) => (wake = resolve));
    await catalog.save(entry('one', 1), 0, source('first'));
    await catalog.setPlugin('weather', { trusted: true });
    await catalog.descriptions.save('read', 'In other words.');
    await all;
    expect(received.toSorted()).toEqual(['description read', 'plugin weather', 'tool one']);
    stop();
    await catalog.setPlugin('weather', undefined);
    expect(await catalog.plugin('weather')).toBeUndefined();
    expect(received).toHaveLength(3);
  });

  it.each([
    ['no entry', 5],
    ['no versions', { name: 'one', version: 1 }],
    ['a version that is not there', { ...entry('one', 1), version: 2 }],
    [
      'capabilities that are none',
      { name: 'one', version: 1, versions: [{ ...version(1), capabilities: { root: true } }] },
    ],
  ])('lists %s as unreadable, and the other entries as usual', async (_, value) => {
    await catalog.save(entry('good', 1), 0, source('first'));
    await store.collection('dynamic-tools/generated', (given) => given).set('default/one', value);
    const { found, unreadable } = await catalog.entries();
    expect(found.map(({ entry: { name } }) => name)).toEqual(['good']);
    expect(unreadable.map(({ name }) => name)).toEqual(['one']);
  });

  it('requires a store and a valid scope', () => {
    expect(() => createCatalog({ store: {} as Store })).toThrow(
      'createCatalog: store is not valid (expected a store that createStore() of @haft/store resolves to, got an object)',
    );
    expect(() => createCatalog({ store, scope: '../other' })).toThrow('scope is not valid (expected a plain name');
  });
});
