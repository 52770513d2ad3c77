/** Runs statements. */
export interface Queryable {
  /** Runs a statement and returns its rows, or several statements without values. */
  readonly query: <Row = Readonly<Record<string, unknown>>>(
    text: string,
    values?: readonly unknown[],
  ) => Promise<readonly Row[]>;
}

/** A subscription that can be ended. */
export interface Subscription {
  stop(): Promise<void>;
}

/** A database that speaks PostgreSQL, embedded or on a server. */
export interface Engine extends Queryable {
  readonly kind: 'pglite' | 'postgres';
  /** Runs a frequent statement with values. A server plans it once for each connection. */
  readonly prepared: Queryable['query'];
  /** Runs the work in one transaction. Rolls it back if the work rejects. */
  transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>;
  /** Calls `wake` for every notification, and without a payload whenever notifications may have been missed. */
  listen(channel: string, wake: (payload?: string) => void): Promise<Subscription>;
  /** Whether a statement that failed with this error may succeed later. */
  isTemporary(error: unknown): boolean;
  close(): Promise<void>;
}
