/** The tables of the SQL drivers. */
export interface StoreTables {
  readonly haft_documents: DocumentRow;
  readonly haft_store: StoreRow;
}

/** A document, or the record of its deletion. */
export interface DocumentRow {
  readonly collection: string;
  readonly key: string;
  /** The value as JSON. Null marks a deleted document, so that watchers learn about the deletion. */
  readonly value: string | null;
  readonly schema_version: number;
  readonly version: number;
  /** Milliseconds since 1970. */
  readonly updated_at: number;
}

/** The only row of `haft_store`. */
export interface StoreRow {
  readonly id: number;
  /** The version of the latest write. */
  readonly version: number;
  /** Deletions up to this version have been purged. */
  readonly forgotten_through: number;
}

/** The table format that this version writes. */
export const tableFormat = 1;

/** How long deletions are stored for watchers that were disconnected: 7 days. */
export const deletionRetentionMs: number = 7 * 24 * 60 * 60 * 1_000;

/** Number of deletions by one store after which old ones are purged. */
export const deletionsBetweenSweeps = 1_000;
