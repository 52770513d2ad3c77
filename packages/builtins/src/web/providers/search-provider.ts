/** One page that a search found. */
export interface SearchHit {
  readonly title: string;
  /** An http or https address. */
  readonly url: string;
  /** A short excerpt or summary of the page. */
  readonly snippet: string;
  /** When it was published, as the provider writes it. */
  readonly published?: string;
}

/** A search request to a provider. */
export interface SearchRequest {
  readonly query: string;
  /** Maximum number of hits. Further hits are dropped. */
  readonly limit: number;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** Why the search failed although the query is valid. */
export type SearchProblem = 'refused' | 'rate-limited' | 'timeout' | 'unreachable' | 'malformed';

/** The hits, best first, or why the search failed. */
export type SearchAnswer =
  | { readonly ok: true; readonly hits: readonly SearchHit[] }
  | {
      readonly ok: false;
      readonly problem: SearchProblem;
      /** For the developer; must not contain keys. */
      readonly message: string;
      readonly retryAfterMs?: number;
    };

/** Searches the web for the `web_search` tool. An exception counts as a failure of the provider. */
export interface SearchProvider {
  /** Display name, such as `Brave`. */
  readonly name: string;
  /** The host that receives the requests, for permission rules. Absent if no host is contacted. */
  readonly host?: string;
  search(request: SearchRequest): Promise<SearchAnswer>;
}
