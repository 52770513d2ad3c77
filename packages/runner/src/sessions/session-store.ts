/** A stored document. */
export interface SessionDocument<Value> {
  readonly key: string;
  readonly value: Value;
  readonly version: number;
  /** In ISO 8601. */
  readonly updatedAt: string;
}

/** Documents of one type: the part of a `@haft/store` collection that sessions use. */
export interface SessionDocuments<Value> {
  readonly name: string;
  get(key: string): Promise<SessionDocument<Value> | undefined>;
  update(key: string, change: (value: Value | undefined) => Value): Promise<SessionDocument<Value>>;
  delete(key: string): Promise<unknown>;
  list(
    prefix?: string,
    paging?: { readonly after?: string | undefined; readonly limit?: number },
  ): Promise<{ readonly documents: readonly SessionDocument<Value>[]; readonly next: string | undefined }>;
}

/** One write of an atomic batch. */
export type SessionWrite =
  | {
      readonly kind: 'set';
      readonly collection: { readonly name: string };
      readonly key: string;
      readonly value: unknown;
      readonly ifVersion?: number;
    }
  | { readonly kind: 'delete'; readonly collection: { readonly name: string }; readonly key: string };

/** Storage of sessions, such as a store of `@haft/store`. */
export interface SessionStore {
  collection<Value>(name: string, read: (value: unknown) => Value): SessionDocuments<Value>;
  /** Performs all writes, or none if a version is not the expected one. Accepts at most 1,000 writes. */
  batch(writes: readonly SessionWrite[]): Promise<{ readonly ok: boolean }>;
}

/** Lists all documents whose keys start with a prefix. */
export async function listAll<Value>(
  documents: Pick<SessionDocuments<Value>, 'list'>,
  prefix: string,
): Promise<readonly SessionDocument<Value>[]> {
  const all: SessionDocument<Value>[] = [];
  let after: string | undefined;
  do {
    const page = await documents.list(prefix, { after, limit: 500 });
    all.push(...page.documents);
    after = page.next;
  } while (after !== undefined);
  return all;
}
