/** A value stored under a key. */
export interface StoredDocument<Value> {
  readonly key: string;
  readonly value: Value;
}

/** The storage these tools need. A collection of `@haft/store` fits. */
export interface Documents<Value> {
  get(key: string): Promise<StoredDocument<Value> | undefined>;
  /** Stores the result of `change` on the current value; calls it again when another writer was first. */
  update(key: string, change: (value: Value | undefined) => Value): Promise<StoredDocument<Value>>;
  delete(key: string): Promise<unknown>;
  /** Lists documents whose keys begin with `prefix`, in key order. */
  list(
    prefix?: string,
    paging?: { readonly after?: string | undefined; readonly limit?: number },
  ): Promise<{ readonly documents: readonly StoredDocument<Value>[]; readonly next: string | undefined }>;
}

const maxDocuments = 10_000;
const defaultPageSize = 100;

/** Creates storage in memory for 10,000 documents; beyond that the least recently changed are dropped. */
export function createMemoryDocuments<Value>(): Documents<Value> {
  const kept = new Map<string, Value>();
  return {
    get: async (key) => (kept.has(key) ? { key, value: kept.get(key)! } : undefined),
    async update(key, change) {
      const value = change(kept.get(key));
      kept.delete(key);
      kept.set(key, value);
      for (const oldest of kept.keys()) {
        if (kept.size <= maxDocuments) break;
        kept.delete(oldest);
      }
      return { key, value };
    },
    delete: async (key) => kept.delete(key),
    async list(prefix = '', { after, limit = defaultPageSize } = {}) {
      const keys = [...kept.keys()]
        .filter((key) => key.startsWith(prefix) && (after === undefined || key > after))
        .toSorted();
      const shown = keys.slice(0, limit);
      const next = keys.length > limit ? shown.at(-1) : undefined;
      return { documents: shown.map((key) => ({ key, value: kept.get(key)! })), next };
    },
  };
}
