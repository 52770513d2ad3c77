import { writeBatch } from '../documents/batch.ts';
import { createChangeFeed } from '../documents/change-feed.ts';
import { createCollection } from '../documents/collection.ts';
import { createDocumentCodec } from '../documents/document-codec.ts';
import type { DocumentCodec } from '../documents/document-codec.ts';
import type { DocumentSchema } from '../documents/document-schema.ts';
import { checkCollectionName } from '../names.ts';
import { createWarningEmitter } from '../warning.ts';
import type { WarningListener } from '../warning.ts';
import { openDriver } from './open-driver.ts';
import type { Collection, CollectionOptions, Store } from '../documents/store.ts';
import type { StoreDriver } from '../store-driver.ts';
import { StoreError } from '../store-error.ts';

/** Options of a store. */
export interface StoreOptions {
  /**
   * The location of the store:
   *
   * - `memory:`: in memory, until the store is closed;
   * - `file:haft.db`: a SQLite file, relative to the working directory, created if missing; any number of programs on
   *   one machine can use it at the same time;
   * - `postgres://user@host/database`: shared by many hosts; requires the package `pg`.
   */
  readonly url?: string;
  /** A custom driver, instead of `url`. */
  readonly driver?: StoreDriver;
  /** Maximum size of a document, in bytes of JSON. Default 1 MiB. */
  readonly maxDocumentBytes?: number;
  /** Maximum wait for a lock or server, in milliseconds, before a call fails with `UNAVAILABLE`. Default 5,000. */
  readonly timeoutMs?: number;
  /**
   * What to do with a damaged file: `set-aside` (default) renames it, reports a warning and creates a new one; `fail`
   * leaves it unchanged and rejects with `CORRUPT`.
   */
  readonly onCorrupt?: 'set-aside' | 'fail';
  /** Receives warnings. Default: Node process warnings on standard error. */
  readonly onWarning?: WarningListener;
}

/**
 * Creates a document store in memory, in a SQLite file, or in a PostgreSQL database shared by many hosts. Rejects with
 * a {@link StoreError}: `UNAVAILABLE`, `NEWER_VERSION`, `NOT_A_STORE`, `FULL` or `INVALID_OPTION`.
 */
export async function createStore(options: StoreOptions): Promise<Store> {
  const { maxDocumentBytes, timeoutMs, onCorrupt, notify } = checkOptions(options);
  const driver = options.driver ?? (await openDriver(options.url ?? '', { timeoutMs, onCorrupt, notify }));
  const feed = createChangeFeed(driver, notify);
  const codecs = new WeakMap<object, DocumentCodec<unknown>>();
  let closing: Promise<void> | undefined;

  const assertOpen = (): void => {
    if (closing !== undefined) throw new StoreError('CLOSED', 'the store is closed');
  };

  function collection<Value, Input>(
    name: string,
    schema: DocumentSchema<Value, Input>,
    { migrations = [] }: CollectionOptions = {},
  ): Collection<Value, Input> {
    assertOpen();
    checkCollectionName(name);
    const codec = createDocumentCodec(name, schema, [...migrations], maxDocumentBytes);
    const made = createCollection<Value, Input>(name, { driver, feed, codec, assertOpen });
    codecs.set(made, codec);
    return made;
  }

  return {
    driver: driver.name,
    collection,
    batch: (writes) => writeBatch(writes, { driver, feed, codecs, assertOpen }),
    close() {
      closing ??= (async () => {
        await feed.close();
        await driver.close();
      })();
      return closing;
    },
  };
}

interface CheckedOptions {
  readonly maxDocumentBytes: number;
  readonly timeoutMs: number;
  readonly onCorrupt: 'set-aside' | 'fail';
  readonly notify: WarningListener;
}

function checkOptions(options: StoreOptions): CheckedOptions {
  if (typeof options !== 'object' || options === null) {
    throw new StoreError('INVALID_OPTION', "a store needs an object of options: createStore({ url: 'memory:' })");
  }
  const { url, driver, maxDocumentBytes = 1_048_576, timeoutMs = 5_000, onCorrupt = 'set-aside', onWarning } = options;
  if ((url === undefined) === (driver === undefined)) {
    throw new StoreError('INVALID_OPTION', 'a store needs either a url or a driver');
  }
  for (const [name, value] of Object.entries({ maxDocumentBytes, timeoutMs })) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new StoreError('INVALID_OPTION', `${name} has to be a whole number above 0, not ${String(value)}`);
    }
  }
  if (onCorrupt !== 'set-aside' && onCorrupt !== 'fail') {
    throw new StoreError('INVALID_OPTION', `onCorrupt has to be 'set-aside' or 'fail', not ${String(onCorrupt)}`);
  }
  return { maxDocumentBytes, timeoutMs, onCorrupt, notify: createWarningEmitter(onWarning) };
}
