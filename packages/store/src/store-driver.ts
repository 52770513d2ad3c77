/** A value, or a promise of it: a driver that has nothing to wait for need not pretend. */
export type Awaitable<Value> = Value | Promise<Value>;

/**
 * What keeps the documents: memory, a file, a server. It stores texts under names, gives each write a version and never
 * looks into a document. Names, sizes, schemas and migrations are checked before it is asked; it is never asked again
 * after `close`. `describeStore` of `@haft/store/testing` proves one.
 */
export interface StoreDriver {
  /** For messages: `memory`, `sqlite`. */
  readonly name: string;
  get(collection: string, key: string): Awaitable<StoredText | undefined>;
  /** Documents of a range, in the order of their keys' code points. */
  list(collection: string, range: KeyRange): Awaitable<readonly StoredText[]>;
  /**
   * Makes all changes or none, as one: no reader sees some of them. Judges each with `isRefused`. Resolves when they are
   * durable. The keys of one call differ.
   */
  write(changes: readonly DriverChange[]): Awaitable<WriteOutcome>;
  /** The last state of each key that was written after `version`, in the order of versions. */
  changesSince(version: number, limit: number): Awaitable<WrittenKeys>;
  /** The version of the latest write; 0 before the first. */
  latestVersion(): Awaitable<number>;
  /**
   * Begins to call `wake` soon after somebody else wrote; needless calls do no harm. When it resolves, no later write
   * of others goes unnoticed. Absent when nobody else can write.
   */
  watch?(wake: () => void): Awaitable<() => Awaitable<void>>;
  close(): Awaitable<void>;
}

/** A document as a driver keeps it. */
export interface StoredText {
  readonly key: string;
  /** The value, as JSON. */
  readonly text: string;
  /** The version of the collection's schema that the value fits; 1 is the first. */
  readonly schemaVersion: number;
  readonly version: number;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
}

/** Keys from `after` (exclusive) or `from` (inclusive), up to `before` (exclusive); at most `limit`. */
export interface KeyRange {
  readonly from: string;
  readonly after: string | undefined;
  readonly before: string | undefined;
  readonly limit: number;
}

/** One change of a write: a text to store, or `undefined` to delete. */
export interface DriverChange {
  readonly collection: string;
  readonly key: string;
  readonly text: string | undefined;
  readonly schemaVersion: number;
  /** The version that has to be there now, 0 for none; `undefined` for whatever is there. */
  readonly ifVersion: number | undefined;
}

/** What a key holds now, as far as `isRefused` needs to know. */
export interface CurrentVersion {
  readonly version: number;
  readonly schemaVersion: number;
}

/** What came of a write. */
export type WriteOutcome =
  | {
      readonly ok: true;
      /** One for each change, greater than every version before; 0 where there was nothing to delete. */
      readonly versions: readonly number[];
      readonly updatedAt: number;
    }
  | { readonly ok: false; readonly refused: readonly RefusedChange[] };

/** A change that could not be made, by its index in the write, and what was there. */
export interface RefusedChange {
  readonly index: number;
  readonly current: CurrentVersion | undefined;
}

/** What was written since a version. */
export interface WrittenKeys {
  readonly keys: readonly WrittenKey[];
  /** False when deletions since then have been forgotten, so that this is not all. */
  readonly complete: boolean;
}

/** The last state of a key. */
export interface WrittenKey {
  readonly collection: string;
  readonly key: string;
  readonly version: number;
  readonly deleted: boolean;
}

/** Whether a change may not be made on what is there: another version than expected, or a document of a newer schema. */
export function isRefused(change: DriverChange, current: CurrentVersion | undefined): boolean {
  if (change.ifVersion !== undefined && change.ifVersion !== (current?.version ?? 0)) return true;
  return change.text !== undefined && current !== undefined && current.schemaVersion > change.schemaVersion;
}
