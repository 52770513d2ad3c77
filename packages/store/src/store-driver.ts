/** A value or a promise of one. Synchronous drivers return the value directly. */
export type Awaitable<Value> = Value | Promise<Value>;

/**
 * A storage backend: memory, a file or a server. It stores strings under keys, assigns a version to each write and
 * never parses a document. The store checks names, sizes, schemas and migrations before it calls the driver, and makes
 * no calls after `close`. Test a driver with `describeStore` from `@haft/store/testing`.
 */
export interface StoreDriver {
  /** The name shown in messages, for example `memory` or `sqlite`. */
  readonly name: string;
  get(collection: string, key: string): Awaitable<StoredText | undefined>;
  /** Returns the documents of a range, ordered by the code points of their keys. */
  list(collection: string, range: KeyRange): Awaitable<readonly StoredText[]>;
  /**
   * Applies all changes atomically, or none. Rejects a change if `isRefused` returns true for it. Resolves when the
   * changes are durable. All keys of one call are different.
   */
  write(changes: readonly DriverChange[]): Awaitable<WriteOutcome>;
  /** Returns the last state of each key written after `version`, ordered by version. */
  changesSince(version: number, limit: number): Awaitable<WrittenKeys>;
  /** Returns the version of the latest write, or 0 before the first. */
  latestVersion(): Awaitable<number>;
  /**
   * Calls `wake` soon after another process or host has written; extra calls are harmless. After it resolves, every
   * later write of others causes a call. Omit it if only this store can write.
   */
  watch?(wake: () => void): Awaitable<() => Awaitable<void>>;
  close(): Awaitable<void>;
}

/** A document as the driver stores it. */
export interface StoredText {
  readonly key: string;
  /** The value, as JSON. */
  readonly text: string;
  /** The version of the collection's schema that the value matches. The first is 1. */
  readonly schemaVersion: number;
  readonly version: number;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
}

/**
 * A range of keys from `after` (exclusive) or `from` (inclusive) up to `before` (exclusive), with at most `limit`
 * documents.
 */
export interface KeyRange {
  readonly from: string;
  readonly after: string | undefined;
  readonly before: string | undefined;
  readonly limit: number;
}

/** One change of a write: `text` to store, or `undefined` to delete. */
export interface DriverChange {
  readonly collection: string;
  readonly key: string;
  readonly text: string | undefined;
  readonly schemaVersion: number;
  /** The expected current version, 0 if the document must not exist, `undefined` to accept any state. */
  readonly ifVersion: number | undefined;
}

/** The current state of a key, as `isRefused` needs it. */
export interface CurrentVersion {
  readonly version: number;
  readonly schemaVersion: number;
}

/** The result of a write. */
export type WriteOutcome =
  | {
      readonly ok: true;
      /**
       * The new version of each change, greater than every earlier version; 0 if the document to delete did not exist.
       */
      readonly versions: readonly number[];
      readonly updatedAt: number;
    }
  | { readonly ok: false; readonly refused: readonly RefusedChange[] };

/** A change that was refused, by its index in the write, with the current state of its key. */
export interface RefusedChange {
  readonly index: number;
  readonly current: CurrentVersion | undefined;
}

/** The keys written since a version. */
export interface WrittenKeys {
  readonly keys: readonly WrittenKey[];
  /** False if the driver has already purged deletions made since then, so the list is incomplete. */
  readonly complete: boolean;
}

/** The last state of a written key. */
export interface WrittenKey {
  readonly collection: string;
  readonly key: string;
  readonly version: number;
  readonly deleted: boolean;
}

/**
 * Returns true if a change must be refused: the current version is not the expected one, or the document has a newer
 * schema.
 */
export function isRefused(change: DriverChange, current: CurrentVersion | undefined): boolean {
  if (change.ifVersion !== undefined && change.ifVersion !== (current?.version ?? 0)) return true;
  return change.text !== undefined && current !== undefined && current.schemaVersion > change.schemaVersion;
}
