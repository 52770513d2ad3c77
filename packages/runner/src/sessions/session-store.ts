/** A document that is kept. */
export interface SessionDocument<Value> {
  readonly key: string;
  readonly value: Value;
  readonly version: number;
  /** In ISO 8601. */
  readonly updatedAt: string;
}

/** Documents of one form: what sessions need of a collection of `@haft/store`. */
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

/** One write of several that are made as one. */
export type SessionWrite =
  | {
      readonly kind: 'set';
      readonly collection: { readonly name: string };
      readonly key: string;
      readonly value: unknown;
      readonly ifVersion?: number;
    }
  | { readonly kind: 'delete'; readonly collection: { readonly name: string }; readonly key: string };

/** Where sessions are kept; a store of `@haft/store` is one. */
export interface SessionStore {
  collection<Value>(name: string, read: (value: unknown) => Value): SessionDocuments<Value>;
  /** All of them or, when a version is not the expected one, none; at most 1,000. */
  batch(writes: readonly SessionWrite[]): Promise<{ readonly ok: boolean }>;
}

/** All documents whose keys begin so. */
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
