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

/** Where a store is, and how it behaves. */
export interface StoreOptions {
  /**
   * - `memory:` until it is closed;
   * - `file:haft.db`: a SQLite file, relative to the working directory, made where there is none; any number of programs
   *   on one machine may use it at once;
   * - `postgres://user@host/database`: shared by many hosts; needs the package `pg`.
   */
  readonly url?: string;
  /** A driver of your own, instead of `url`. */
  readonly driver?: StoreDriver;
  /** The largest document, in bytes of JSON; 1 MiB unless told otherwise. */
  readonly maxDocumentBytes?: number;
  /** How long a call may wait for a lock or a server before it fails with `UNAVAILABLE`; 5,000 ms unless told otherwise. */
  readonly timeoutMs?: number;
  /**
   * What to do with a file that is damaged: rename it, report that and begin a new one (`set-aside`), or leave it alone
   * and reject with `CORRUPT` (`fail`).
   */
  readonly onCorrupt?: 'set-aside' | 'fail';
  /** Hears what fails no call; without it, Node's warnings on standard error do. */
  readonly onWarning?: WarningListener;
}

/**
 * Opens a place for documents: in memory, in an embedded SQLite file, or in a PostgreSQL shared by many hosts. Rejects
 * with a {@link StoreError}: `UNAVAILABLE`, `NEWER_VERSION`, `NOT_A_STORE`, `FULL`, or `INVALID_OPTION`.
 */
export async function createStore(options: StoreOptions): Promise<Store> {
  const { maxDocumentBytes, timeoutMs, onCorrupt, notify } = checkOptions(options);
  const driver = options.driver ?? (await openDriver(options.url ?? '', { timeoutMs, onCorrupt, notify }));
  const feed = createChangeFeed(driver, notify);
  const codecs = new WeakMap<object, DocumentCodec<unknown>>();
  let closing: Promise<void> | undefined;

  const assertOpen = (): void => {
    if (closing !== undefined) throw new StoreError('CLOSED', 'the store was closed');
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
