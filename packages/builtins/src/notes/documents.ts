/** A value that is kept under a key. */
export interface KeptDocument<Value> {
  readonly key: string;
  readonly value: Value;
}

/** Where documents are kept: what these tools need of a place. A collection of `@haft/store` is one. */
export interface Documents<Value> {
  get(key: string): Promise<KeptDocument<Value> | undefined>;
  /** Stores what `change` makes of the present value; asked again when somebody else was quicker. */
  update(key: string, change: (value: Value | undefined) => Value): Promise<KeptDocument<Value>>;
  delete(key: string): Promise<unknown>;
  /** Those whose keys begin with `prefix`, in the order of their keys. */
  list(
    prefix?: string,
    paging?: { readonly after?: string | undefined; readonly limit?: number },
  ): Promise<{ readonly documents: readonly KeptDocument<Value>[]; readonly next: string | undefined }>;
}

const mostDocuments = 10_000;
const usualPage = 100;

/** Makes a place that forgets everything with the process, and what was changed longest ago beyond 10,000 documents. */
export function createMemoryDocuments<Value>(): Documents<Value> {
  const kept = new Map<string, Value>();
  return {
    get: async (key) => (kept.has(key) ? { key, value: kept.get(key)! } : undefined),
    async update(key, change) {
      const value = change(kept.get(key));
      kept.delete(key);
      kept.set(key, value);
      for (const oldest of kept.keys()) {
        if (kept.size <= mostDocuments) break;
        kept.delete(oldest);
      }
      return { key, value };
    },
    delete: async (key) => kept.delete(key),
    async list(prefix = '', { after, limit = usualPage } = {}) {
      const keys = [...kept.keys()]
        .filter((key) => key.startsWith(prefix) && (after === undefined || key > after))
        .toSorted();
      const shown = keys.slice(0, limit);
      const next = keys.length > limit ? shown.at(-1) : undefined;
      return { documents: shown.map((key) => ({ key, value: kept.get(key)! })), next };
    },
  };
}
