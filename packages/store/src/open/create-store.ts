import { writeBatch } from '../documents/write-batch.ts';
import { createChangeFeed } from '../documents/change-feed.ts';
import { createCollection } from '../documents/collection.ts';
import { createDocumentCodec } from '../documents/document-codec.ts';
import type { DocumentCodec } from '../documents/document-codec.ts';
import type { DocumentSchema } from '../documents/document-schema.ts';
import { checkCollectionName } from '../names.ts';
import { createWarningEmitter } from '../warning.ts';
import { checkStoreOptions, type StoreOptions } from './store-options.ts';
import { openDriver } from './open-driver.ts';
import type { Collection, CollectionOptions, Store } from '../documents/store.ts';
import { StoreError } from '../store-error.ts';

/**
 * Creates a document store in memory, in a SQLite file, or in a PostgreSQL database shared by many hosts. Rejects with
 * a {@link StoreError}: `UNAVAILABLE`, `NEWER_VERSION`, `NOT_A_STORE`, `FULL` or `INVALID_OPTION`.
 */
export async function createStore(options: StoreOptions): Promise<Store> {
  checkStoreOptions(options);
  const { maxDocumentBytes = 1_048_576, timeoutMs = 5_000, onCorrupt = 'set-aside' } = options;
  const notify = createWarningEmitter(options.onWarning);
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
    const created = createCollection<Value, Input>(name, { driver, feed, codec, assertOpen });
    codecs.set(created, codec);
    return created;
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
