/** The tables that SQL drivers keep. */
export interface StoreTables {
  readonly haft_documents: DocumentRow;
  readonly haft_store: StoreRow;
}

/** A document, or the memory of its deletion. */
export interface DocumentRow {
  readonly collection: string;
  readonly key: string;
  /** The value as JSON; null when the document was deleted, so that watchers hear of it. */
  readonly value: string | null;
  readonly schema_version: number;
  readonly version: number;
  /** Milliseconds since 1970. */
  readonly updated_at: number;
}

/** The only row of its table. */
export interface StoreRow {
  readonly id: number;
  /** The version of the latest write. */
  readonly version: number;
  /** Deletions up to this version have been forgotten. */
  readonly forgotten_through: number;
}

/** The form of the tables that this program writes. */
export const tableFormat = 1;

/** How long deletions are remembered for watchers that were away: 7 days. */
export const deletionsKeptMs: number = 7 * 24 * 60 * 60 * 1_000;

/** After so many deletions by one store, the old ones are looked through. */
export const deletionsBetweenSweeps = 1_000;
