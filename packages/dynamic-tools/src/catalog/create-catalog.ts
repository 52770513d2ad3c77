import { checkOptions, custom, objectWith, required, type OptionTable } from '@haft/core/options';
import { type BatchWrite, type Collection, type Store, StoreError } from '@haft/store';
import type { DescriptionPersistence } from '@haft/core/registry';
import { readDefinition, type DefinitionStore } from '../plugin/definition/definition-cache.ts';
import { invalidOption } from '../plugin-error.ts';
import {
  readDescription,
  readEntry,
  readPluginState,
  readQuarantined,
  readSource,
  type CatalogEntry,
  type CatalogSource,
  type PluginState,
  type QuarantinedTool,
} from './catalog-entry.ts';

/** Options of {@link createCatalog}. */
export interface CatalogOptions {
  /** The store: in memory, in a file, or on a server that several hosts share. */
  readonly store: Store;
  /** Programs with the same scope share one catalog. Default `default`. */
  readonly scope?: string;
}

/** A change of a catalog, made by this or another host. */
export type CatalogChange =
  | { readonly kind: 'tool' | 'plugin' | 'description'; readonly name: string }
  /** Anything may have changed, so the reader must read everything again. */
  | { readonly kind: 'reset' };

/** An entry and its revision. Pass the revision to `save` to detect changes by other writers. */
export interface StoredEntry {
  readonly entry: CatalogEntry;
  readonly revision: number;
}

/** The readable entries, and the names of the unreadable ones. */
export interface CatalogListing<Value> {
  readonly found: readonly Value[];
  readonly unreadable: readonly { readonly name: string; readonly reason: string }[];
}

/** Result of a write: false if another writer changed the entry first and nothing was written. */
export type Written = boolean;

/**
 * Storage that survives a restart: generated tools, settings of plugins, and replaced descriptions. Every change is one
 * atomic write. Rejects with a `StoreError` if the store can't be read or written.
 */
export interface Catalog {
  readonly scope: string;
  entry(name: string): Promise<StoredEntry | undefined>;
  entries(): Promise<CatalogListing<StoredEntry>>;
  source(name: string, version: number): Promise<CatalogSource | undefined>;
  /** Adds a version or changes an entry. `revision` is the revision that the entry was read with, 0 for a new entry. */
  save(entry: CatalogEntry, revision: number, source?: CatalogSource): Promise<Written>;
  /** Moves a tool to the trash; its sources stay. */
  discard(kept: StoredEntry): Promise<Written>;
  /** Restores a tool from the trash. */
  recover(name: string): Promise<Written>;
  discarded(name: string): Promise<StoredEntry | undefined>;
  trash(): Promise<CatalogListing<StoredEntry>>;
  /** Stores a tool that failed its trial, and replaces an earlier one. `undefined` deletes it. */
  quarantine(name: string, tool: QuarantinedTool | undefined): Promise<void>;
  quarantined(): Promise<CatalogListing<QuarantinedTool>>;
  plugin(id: string): Promise<PluginState | undefined>;
  plugins(): Promise<ReadonlyMap<string, PluginState>>;
  /** Stores the settings of a plugin. `undefined` deletes them. */
  setPlugin(id: string, state: PluginState | undefined): Promise<void>;
  /** The descriptions that plugins returned earlier. Loaders use them to start without a process. */
  readonly definitions: DefinitionStore;
  /** The storage for `new MemoryDescriptionStore(catalog.descriptions)`. */
  readonly descriptions: DescriptionPersistence;
  /** Reports every later change, by any writer. Resolves to a function that stops watching. */
  watch(listener: (change: CatalogChange) => void): Promise<() => void>;
}

const scopePattern = /^[a-z0-9][a-z0-9._-]{0,63}$/;
/** Maximum number of versions per tool. */
const maxVersions = 20;

const table: OptionTable<CatalogOptions> = {
  store: required(objectWith<Store>('a store that createStore() of @haft/store resolves to', 'collection')),
  scope: custom('a plain name such as "default"', (value) => typeof value === 'string' && scopePattern.test(value)),
};

/**
 * Creates a catalog in a store.
 *
 * @throws PluginError `INVALID_OPTION` without a store, and for a scope that is not a plain name.
 */
export function createCatalog(options: CatalogOptions): Catalog {
  checkOptions('createCatalog', options, table, '{ store }', invalidOption);
  const { store, scope = 'default' } = options;
  const tools = store.collection('dynamic-tools/generated', readEntry);
  const sources = store.collection('dynamic-tools/sources', readSource);
  const trash = store.collection('dynamic-tools/trash', readEntry);
  const quarantine = store.collection('dynamic-tools/quarantine', readQuarantined);
  const plugins = store.collection('dynamic-tools/plugins', readPluginState);
  const descriptions = store.collection('dynamic-tools/descriptions', readDescription);
  const definitions = store.collection('dynamic-tools/definitions', readDefinition);
  const prefix = `${scope}/`;
  const at = (name: string): string => `${prefix}${name}`;
  const sourceAt = (name: string, version: number): string => `${prefix}${name}/${version}`;

  const find = async (collection: Collection<CatalogEntry>, name: string): Promise<StoredEntry | undefined> => {
    const found = await collection.get(at(name));
    return found && { entry: found.value, revision: found.version };
  };
  const entriesOf = async (collection: Collection<CatalogEntry>): Promise<CatalogListing<StoredEntry>> => {
    const { found, unreadable } = await listAll(collection, prefix);
    return { found: found.map(({ value, version }) => ({ entry: value, revision: version })), unreadable };
  };
  const write = async (writes: readonly BatchWrite[]): Promise<Written> => (await store.batch(writes)).ok;
  const set = (collection: { readonly name: string }, key: string, value: unknown, ifVersion?: number): BatchWrite => ({
    kind: 'set',
    collection,
    key,
    value,
    ...(ifVersion !== undefined && { ifVersion }),
  });

  return {
    scope,
    entry: (name) => find(tools, name),
    entries: () => entriesOf(tools),
    source: async (name, version) => (await sources.get(sourceAt(name, version)))?.value,
    async save(given, revision, source) {
      const { name, version } = given;
      const forgotten = given.versions.slice(0, -maxVersions).filter((one) => one.version !== version);
      const entry = { ...given, versions: given.versions.filter((one) => !forgotten.includes(one)) };
      return write([
        set(tools, at(name), entry, revision),
        ...(source ? [set(sources, sourceAt(name, version), source)] : []),
        ...forgotten.map((one): BatchWrite => ({
          kind: 'delete',
          collection: sources,
          key: sourceAt(name, one.version),
        })),
        // The previous version becomes part of the history. A quarantined draft is obsolete now.
        ...(source ? [{ kind: 'delete', collection: trash, key: at(name) } as const] : []),
        ...(source ? [{ kind: 'delete', collection: quarantine, key: at(name) } as const] : []),
      ]);
    },
    discard: ({ entry, revision }) =>
      write([
        { kind: 'delete', collection: tools, key: at(entry.name), ifVersion: revision },
        set(trash, at(entry.name), entry),
      ]),
    async recover(name) {
      const kept = await find(trash, name);
      if (!kept) return false;
      return write([
        { kind: 'delete', collection: trash, key: at(name), ifVersion: kept.revision },
        set(tools, at(name), kept.entry, 0),
      ]);
    },
    discarded: (name) => find(trash, name),
    trash: () => entriesOf(trash),
    async quarantine(name, tool) {
      await (tool ? quarantine.set(at(name), tool) : quarantine.delete(at(name)));
    },
    async quarantined() {
      const { found, unreadable } = await listAll(quarantine, prefix);
      return { found: found.map(({ value }) => value), unreadable };
    },
    plugin: async (id) => (await plugins.get(at(id)))?.value,
    async plugins() {
      const { found } = await listAll(plugins, prefix);
      return new Map(found.map(({ key, value }) => [key.slice(prefix.length), value]));
    },
    async setPlugin(id, state) {
      await (state ? plugins.set(at(id), state) : plugins.delete(at(id)));
    },
    definitions: {
      get: async (id) => (await definitions.get(at(id)))?.value,
      async set(id, definition) {
        await definitions.set(at(id), definition);
      },
    },
    descriptions: {
      async load() {
        const { found } = await listAll(descriptions, prefix);
        return found.map(({ key, value }) => [key.slice(prefix.length), value.description] as const);
      },
      async save(name, description) {
        await (description === undefined ? descriptions.delete(at(name)) : descriptions.set(at(name), { description }));
      },
    },
    async watch(listener) {
      const watched = [
        ['tool', tools],
        ['plugin', plugins],
        ['description', descriptions],
      ] as const;
      const watches = await Promise.all(
        watched.map(([kind, collection]) =>
          collection.watch(prefix, (change) =>
            listener(change.kind === 'reset' ? { kind: 'reset' } : { kind, name: change.key.slice(prefix.length) }),
          ),
        ),
      );
      return () => watches.forEach((watch) => watch.close());
    },
  };
}

interface StoredDocument<Value> {
  readonly key: string;
  readonly value: Value;
  readonly version: number;
}

async function listAll<Value>(
  collection: Collection<Value>,
  prefix: string,
): Promise<CatalogListing<StoredDocument<Value>>> {
  const found: StoredDocument<Value>[] = [];
  const unreadable: { name: string; reason: string }[] = [];
  for (let after: string | undefined, more = true; more;) {
    const page = await collection.list(prefix, { after, limit: 1_000 });
    found.push(...page.documents);
    for (const { key, error } of page.unreadable)
      unreadable.push({
        name: key.slice(prefix.length),
        reason: error instanceof StoreError ? error.message : 'it is not readable',
      });
    after = page.next;
    more = after !== undefined;
  }
  return { found, unreadable };
}
