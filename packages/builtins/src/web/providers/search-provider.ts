/** One page that a search found. */
export interface SearchHit {
  readonly title: string;
  /** Of http or https. */
  readonly url: string;
  /** A few words of the page, or about it. */
  readonly snippet: string;
  /** When it was published, as the provider writes it. */
  readonly published?: string;
}

/** What a provider is asked for. */
export interface SearchRequest {
  readonly query: string;
  /** The most hits that are wanted; more are dropped. */
  readonly limit: number;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** Why there are no hits although nothing is wrong with the query. */
export type SearchProblem = 'refused' | 'rate-limited' | 'timeout' | 'unreachable' | 'malformed';

/** What a provider found, best first, or why it could not look. */
export type SearchAnswer =
  | { readonly ok: true; readonly hits: readonly SearchHit[] }
  | {
      readonly ok: false;
      readonly problem: SearchProblem;
      /** For the developer; without keys. */
      readonly message: string;
      readonly retryAfterMs?: number;
    };

/** Searches the web on behalf of the `web_search` tool. A throw counts as a failure of the provider. */
export interface SearchProvider {
  /** For people, such as `Brave`. */
  readonly name: string;
  /** Where requests go, for rules about hosts; absent when no host is contacted. */
  readonly host?: string;
  search(request: SearchRequest): Promise<SearchAnswer>;
}
