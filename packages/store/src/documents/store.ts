import type { Migration } from './document-codec.ts';
import type { StandardSchema, ValidateFunction } from './document-schema.ts';
import type { StoreError } from '../store-error.ts';

/** A store of documents, created by `createStore`. */
export interface Store {
  /** The name of the driver: `memory`, `sqlite`, `postgres`, or the name of a custom driver. */
  readonly driver: string;
  /**
   * Returns a named collection of documents with one schema. Throws `INVALID_COLLECTION` unless the name consists of
   * lower-case letters and digits joined by one of `. _ / -`.
   */
  collection<Schema extends StandardSchema>(
    name: string,
    schema: Schema,
    options?: CollectionOptions,
  ): Collection<OutputOf<Schema>, InputOf<Schema>>;
  collection<Value>(name: string, schema: ValidateFunction<Value>, options?: CollectionOptions): Collection<Value>;
  /**
   * Applies several writes atomically: all of them, or none if a document is not at its expected version. Accepts at
   * most 1,000 writes, each to a different document, in collections of this store.
   */
  batch(writes: readonly BatchWrite[]): Promise<BatchResult>;
  /** Ends all watches and closes the file or connection. Later calls fail with `CLOSED`. */
  close(): Promise<void>;
}

/** The type of the values a schema returns. */
export type OutputOf<Schema extends StandardSchema> = NonNullable<Schema['~standard']['types']>['output'];
/** The type of the values a schema accepts. */
export type InputOf<Schema extends StandardSchema> = NonNullable<Schema['~standard']['types']>['input'];

/** Options of a collection. */
export interface CollectionOptions {
  /**
   * Migrations from each schema version to the next. Documents are written in version `migrations.length + 1`, and
   * older ones are migrated on every read. Only append to this list.
   */
  readonly migrations?: readonly Migration[];
}

/** Documents of one schema, by key. */
export interface Collection<Value, Input = Value> {
  readonly name: string;
  /** Returns the document, or `undefined` if it does not exist. Rejects if it cannot be read. */
  get(key: string): Promise<StoreDocument<Value> | undefined>;
  /**
   * Stores a value. With `ifVersion`, stores it only if the document has that version (0: only if it does not exist).
   * Durable once the promise resolves.
   */
  set(key: string, value: Input, options?: WriteOptions): Promise<SetResult<Value>>;
  /**
   * Stores the value that `change` returns for the current value. Calls `change` again if another writer was faster, up
   * to 50 times, then rejects with `CONFLICT`.
   */
  update(key: string, change: (value: Value | undefined) => Input | Promise<Input>): Promise<StoreDocument<Value>>;
  /** Deletes a document; with `ifVersion`, only if it has that version. Deleting a missing document is not an error. */
  delete(key: string, options?: WriteOptions): Promise<DeleteResult>;
  /** Lists the documents whose keys begin with `prefix` (default: all), ordered by the code points of their keys. */
  list(prefix?: string, options?: ListOptions): Promise<Page<Value>>;
  /**
   * Calls `listener` for every later change of a document whose key begins with `prefix`, made by this or another
   * process, ordered by version. Rapid changes of one key may arrive as one, the last.
   */
  watch(prefix: string, listener: ChangeListener): Promise<Watch>;
}

/** A stored value with its key, version and time. */
export interface StoreDocument<Value> {
  readonly key: string;
  readonly value: Value;
  /** Greater than the version of every earlier write to the store, and never reused. */
  readonly version: number;
  /** The time of the write in ISO 8601, by the clock of the machine that stores the document. */
  readonly updatedAt: string;
}

/** Options of a write. */
export interface WriteOptions {
  readonly ifVersion?: number;
}

/** The result of `set`. */
export type SetResult<Value> = { readonly ok: true; readonly document: StoreDocument<Value> } | Conflict;

/** The result of `delete`. */
export type DeleteResult = { readonly ok: true; readonly existed: boolean } | Conflict;

/** Returned when the document is not at the expected version. Nothing was written. */
export interface Conflict {
  readonly ok: false;
  readonly code: 'CONFLICT';
  readonly message: string;
  readonly hint: string;
  /** The actual version; 0 if the document does not exist. */
  readonly currentVersion: number;
}

/** Selects a page of a list. */
export interface ListOptions {
  /** Start after this key: the `next` of the previous page. */
  readonly after?: string | undefined;
  /** Maximum number of documents. Default 100, at most 1,000. */
  readonly limit?: number;
}

/** One page of a list. */
export interface Page<Value> {
  readonly documents: readonly StoreDocument<Value>[];
  /** Documents that exist but cannot be read. They do not prevent the others from being listed. */
  readonly unreadable: readonly UnreadableDocument[];
  /** The value to pass as `after` for the next page; `undefined` on the last page. */
  readonly next: string | undefined;
}

/** A document that cannot be read, and the reason. */
export interface UnreadableDocument {
  readonly key: string;
  readonly version: number;
  readonly error: StoreError;
}

/** A change of a document. */
export type Change =
  | { readonly kind: 'set' | 'delete'; readonly key: string; readonly version: number }
  /**
   * Changes may have been missed, because this program was disconnected for longer than deletions are stored (7 days).
   * A program that caches documents must list them again.
   */
  | { readonly kind: 'reset'; readonly version: number };

/** Receives changes. If it throws, the error is reported as `LISTENER_FAILED` and other listeners still run. */
export type ChangeListener = (change: Change) => void | Promise<void>;

/** A subscription to changes. */
export interface Watch {
  /** Ends the watch. No change is reported afterwards. */
  close(): void;
}

/** One write of a batch. The collection must belong to the same store. */
export type BatchWrite =
  | {
      readonly kind: 'set';
      readonly collection: { readonly name: string };
      readonly key: string;
      readonly value: unknown;
      readonly ifVersion?: number;
    }
  | {
      readonly kind: 'delete';
      readonly collection: { readonly name: string };
      readonly key: string;
      readonly ifVersion?: number;
    };

/** The result of a batch. */
export type BatchResult =
  /** The version of each write, in order; 0 if the document to delete did not exist. */
  { readonly ok: true; readonly versions: readonly number[] } | BatchConflict;

/** Returned when some documents are not at their expected versions. Nothing was written. */
export interface BatchConflict {
  readonly ok: false;
  readonly code: 'CONFLICT';
  readonly message: string;
  readonly hint: string;
  /** The writes that conflict, by index. */
  readonly conflicts: readonly { readonly index: number; readonly currentVersion: number }[];
}
