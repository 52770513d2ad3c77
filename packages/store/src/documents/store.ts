import type { Migration } from './document-codec.ts';
import type { StandardSchema, ValidateFunction } from './document-schema.ts';
import type { StoreError } from '../store-error.ts';

/** A place for documents, made by `createStore`. */
export interface Store {
  /** What keeps the documents: `memory`, `sqlite`, `postgres`, or the name of a driver of your own. */
  readonly driver: string;
  /**
   * A named group of documents of one form. Throws `INVALID_COLLECTION` for a name that is not lower-case letters and
   * digits joined by one of `. _ / -`.
   */
  collection<Schema extends StandardSchema>(
    name: string,
    schema: Schema,
    options?: CollectionOptions,
  ): Collection<OutputOf<Schema>, InputOf<Schema>>;
  collection<Value>(name: string, schema: ValidateFunction<Value>, options?: CollectionOptions): Collection<Value>;
  /**
   * Makes several writes as one: all of them or, when a version is not the expected one, none. At most 1,000, each to
   * another document, of collections of this store.
   */
  batch(writes: readonly BatchWrite[]): Promise<BatchResult>;
  /** Ends all watches and lets go of the file or server. Everything asked after it fails with `CLOSED`. */
  close(): Promise<void>;
}

/** The type of the values that a schema gives. */
export type OutputOf<Schema extends StandardSchema> = NonNullable<Schema['~standard']['types']>['output'];
/** The type of the values that a schema takes. */
export type InputOf<Schema extends StandardSchema> = NonNullable<Schema['~standard']['types']>['input'];

/** How a collection came to its present form. */
export interface CollectionOptions {
  /**
   * The first turns a value of the first version of the schema into one of the second, and so on: a document is written
   * in version `migrations.length + 1`, and an older one is migrated whenever it is read. Only ever add at the end.
   */
  readonly migrations?: readonly Migration[];
}

/** Documents of one form, by key. */
export interface Collection<Value, Input = Value> {
  readonly name: string;
  /** The document, or `undefined`. Rejects when it is there but can't be read. */
  get(key: string): Promise<StoreDocument<Value> | undefined>;
  /** Stores a value; with `ifVersion`, only if that is still the version (0: only if there is none). Durable when it resolves. */
  set(key: string, value: Input, options?: WriteOptions): Promise<SetResult<Value>>;
  /**
   * Stores what `change` makes of the present value, and asks it again when somebody else was quicker, up to 50 times.
   * Then it rejects with `CONFLICT`.
   */
  update(key: string, change: (value: Value | undefined) => Input | Promise<Input>): Promise<StoreDocument<Value>>;
  /** Removes a document; with `ifVersion`, only if that is still its version. Removing what isn't there is no failure. */
  delete(key: string, options?: WriteOptions): Promise<DeleteResult>;
  /** Documents whose keys begin with `prefix` (all, when left out), in the order of their keys' code points. */
  list(prefix?: string, paging?: ListOptions): Promise<Page<Value>>;
  /**
   * Calls `listener` for every document whose key begins with `prefix` that is changed after this resolves, here or
   * elsewhere, in the order of versions. Changes of one key in quick succession may come as one, the last.
   */
  watch(prefix: string, listener: ChangeListener): Promise<Watch>;
}

/** A value with its place and its age. */
export interface StoreDocument<Value> {
  readonly key: string;
  readonly value: Value;
  /** Greater than the version of every write to the store before it, and never used twice. */
  readonly version: number;
  /** When it was written, in ISO 8601, by the clock of whoever keeps the documents. */
  readonly updatedAt: string;
}

/** On what a write depends. */
export interface WriteOptions {
  readonly ifVersion?: number;
}

/** What came of `set`. */
export type SetResult<Value> = { readonly ok: true; readonly document: StoreDocument<Value> } | Conflict;

/** What came of `delete`. */
export type DeleteResult = { readonly ok: true; readonly existed: boolean } | Conflict;

/** The document is at another version than was expected, so nothing was written. */
export interface Conflict {
  readonly ok: false;
  readonly code: 'CONFLICT';
  readonly message: string;
  readonly hint: string;
  /** What was there instead; 0 for nothing. */
  readonly currentVersion: number;
}

/** How much of a list to return. */
export interface ListOptions {
  /** Start behind this key: `next` of the page before. */
  readonly after?: string | undefined;
  /** At most so many, 100 unless told otherwise, 1,000 at most. */
  readonly limit?: number;
}

/** A part of a list. */
export interface Page<Value> {
  readonly documents: readonly StoreDocument<Value>[];
  /** Documents that are there but can't be read, so that one of them doesn't hide the others. */
  readonly unreadable: readonly UnreadableDocument[];
  /** What to pass as `after` for the next page; `undefined` when this is the last. */
  readonly next: string | undefined;
}

/** A document that can't be read, and why. */
export interface UnreadableDocument {
  readonly key: string;
  readonly version: number;
  readonly error: StoreError;
}

/** Something that happened to a document. */
export type Change =
  | { readonly kind: 'set' | 'delete'; readonly key: string; readonly version: number }
  /**
   * Changes may have been missed, because this program was away for longer than deletions are remembered (7 days).
   * Whoever keeps a copy has to list anew.
   */
  | { readonly kind: 'reset'; readonly version: number };

/** Hears of changes. What it throws is reported as `LISTENER_FAILED` and disturbs nobody else. */
export type ChangeListener = (change: Change) => void | Promise<void>;

/** A watch that can be ended. */
export interface Watch {
  /** No change is reported after it. */
  close(): void;
}

/** One write of a batch. The collection is one that this store made. */
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

/** What came of a batch. */
export type BatchResult =
  /** The version of each write, in their order; 0 where there was nothing to delete. */
  { readonly ok: true; readonly versions: readonly number[] } | BatchConflict;

/** Some documents are at other versions than were expected, so nothing of the batch was written. */
export interface BatchConflict {
  readonly ok: false;
  readonly code: 'CONFLICT';
  readonly message: string;
  readonly hint: string;
  /** The writes that stood in the way, by their index. */
  readonly conflicts: readonly { readonly index: number; readonly currentVersion: number }[];
}
