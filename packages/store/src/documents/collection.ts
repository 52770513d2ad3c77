import { setTimeout as delay } from 'node:timers/promises';

import type { ChangeFeed } from './change-feed.ts';
import { createNewerVersionError } from './document-codec.ts';
import type { DocumentCodec } from './document-codec.ts';
import { checkKey, checkKeyText, endOfPrefix } from '../names.ts';
import type { Collection, Conflict, ListOptions, StoreDocument, UnreadableDocument, WriteOptions } from './store.ts';
import type { DriverChange, RefusedChange, StoredText, StoreDriver } from '../store-driver.ts';
import { hintOf, StoreError } from '../store-error.ts';

const defaultLimit = 100;
const maxLimit = 1_000;
const maxUpdateAttempts = 50;

/** Dependencies of a collection. */
export interface CollectionDependencies<Value> {
  readonly driver: StoreDriver;
  readonly feed: ChangeFeed;
  readonly codec: DocumentCodec<Value>;
  /** Throws if the store is closed. */
  readonly assertOpen: () => void;
}

/** Creates a collection. */
export function createCollection<Value, Input>(
  name: string,
  { driver, feed, codec, assertOpen }: CollectionDependencies<Value>,
): Collection<Value, Input> {
  /**
   * Stays synchronous unless the schema or a migration is asynchronous: a turn of the event loop costs as much as a
   * SQLite read.
   */
  const read = (stored: StoredText): StoreDocument<Value> | Promise<StoreDocument<Value>> => {
    const value = codec.decode(stored);
    return value instanceof Promise ? value.then((awaited) => toDocument(stored, awaited)) : toDocument(stored, value);
  };

  const write = async (
    change: DriverChange,
  ): Promise<{ readonly ok: true; readonly version: number; readonly updatedAt: number } | Conflict> => {
    assertOpen();
    const outcome = await driver.write([change]);
    if (!outcome.ok) return toConflict(change, outcome.refused[0]);
    feed.wake();
    return { ok: true, version: outcome.versions[0] ?? 0, updatedAt: outcome.updatedAt };
  };

  const collection: Collection<Value, Input> = {
    name,
    async get(key) {
      assertOpen();
      checkKey(key);
      const found = driver.get(name, key);
      const stored = found instanceof Promise ? await found : found;
      return stored === undefined ? undefined : read(stored);
    },
    async set(key, value, options) {
      assertOpen();
      const change = await prepareSet(name, codec, key, value, options);
      const written = await write(change);
      if (!written.ok) return written;
      const { schemaVersion, text = '' } = change;
      return { ok: true, document: await read({ key, text, schemaVersion, ...written }) };
    },
    async update(key, change) {
      for (let attempt = 1; attempt <= maxUpdateAttempts; attempt += 1) {
        const present = await collection.get(key);
        const written = await collection.set(key, await change(present?.value), { ifVersion: present?.version ?? 0 });
        if (written.ok) return written.document;
        // Waits for a random time, so that competing writers do not keep conflicting.
        if (attempt > 3) await delay(Math.random() * Math.min(2 ** attempt, 100));
      }
      const message = `${JSON.stringify(key)} of ${name}: other writers changed it during each of ${maxUpdateAttempts} attempts`;
      throw new StoreError('CONFLICT', message);
    },
    async delete(key, options) {
      const written = await write(prepareDelete(name, key, options));
      return written.ok ? { ok: true, existed: written.version > 0 } : written;
    },
    async list(prefix = '', paging = {}) {
      assertOpen();
      checkKeyText(prefix, 'prefix');
      const { after, limit } = checkListOptions(paging);
      // One document more than requested shows whether there is a next page.
      const range = { from: prefix, after, before: endOfPrefix(prefix), limit: limit + 1 };
      const found = await driver.list(name, range);
      const documents: StoreDocument<Value>[] = [];
      const unreadable: UnreadableDocument[] = [];
      for (const stored of found.slice(0, limit)) {
        try {
          const document = read(stored);
          documents.push(document instanceof Promise ? await document : document);
        } catch (error) {
          if (!(error instanceof StoreError)) throw error;
          unreadable.push({ key: stored.key, version: stored.version, error });
        }
      }
      return { documents, unreadable, next: found.length > limit ? found[limit - 1]?.key : undefined };
    },
    async watch(prefix, listener) {
      assertOpen();
      checkKeyText(prefix, 'prefix');
      if (typeof listener !== 'function') throw new StoreError('INVALID_OPTION', 'listener: must be a function');
      return feed.add(name, prefix, listener);
    },
  };
  return collection;
}

function toDocument<Value>({ key, version, updatedAt }: StoredText, value: Value): StoreDocument<Value> {
  return { key, value, version, updatedAt: new Date(updatedAt).toISOString() };
}

/** Validates and encodes a value to store. */
export async function prepareSet(
  collection: string,
  codec: DocumentCodec<unknown>,
  key: string,
  value: unknown,
  options: WriteOptions = {},
): Promise<DriverChange> {
  checkKey(key);
  const ifVersion = checkVersion(options.ifVersion);
  return { collection, key, text: await codec.encode(key, value), schemaVersion: codec.schemaVersion, ifVersion };
}

/** Validates a deletion. */
export function prepareDelete(collection: string, key: string, options: WriteOptions = {}): DriverChange {
  checkKey(key);
  return { collection, key, text: undefined, schemaVersion: 0, ifVersion: checkVersion(options.ifVersion) };
}

/**
 * Returns the version that caused the conflict. Throws `NEWER_VERSION` if the version matches but the document has a
 * newer schema.
 */
export function conflictingVersion(change: DriverChange, refused: RefusedChange | undefined): number {
  const { version = 0, schemaVersion = 0 } = refused?.current ?? {};
  if (change.ifVersion === undefined || change.ifVersion === version) {
    throw createNewerVersionError(change.collection, change.key, schemaVersion, change.schemaVersion);
  }
  return version;
}

function toConflict(change: DriverChange, refused: RefusedChange | undefined): Conflict {
  const currentVersion = conflictingVersion(change, refused);
  const message = `${JSON.stringify(change.key)} of ${change.collection} is at version ${currentVersion} (expected ${change.ifVersion})`;
  return { ok: false, code: 'CONFLICT', message, hint: hintOf('CONFLICT'), currentVersion };
}

function checkVersion(version: number | undefined): number | undefined {
  if (version === undefined || (Number.isSafeInteger(version) && version >= 0)) return version;
  throw new StoreError(
    'INVALID_OPTION',
    `ifVersion: is not a version (expected the version of a document or 0, got ${typeof version === 'string' ? JSON.stringify(version) : String(version)})`,
  );
}

function checkListOptions({ after, limit = defaultLimit }: ListOptions): {
  readonly after: string | undefined;
  limit: number;
} {
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > maxLimit) {
    throw new StoreError(
      'INVALID_OPTION',
      `limit: is out of range (expected an integer from 1 to ${maxLimit}, got ${String(limit)})`,
    );
  }
  if (after !== undefined) checkKeyText(after, 'cursor');
  return { after, limit };
}
