import type { FetchedResponse } from '@haft/sandbox';

/** A fetched page. */
export interface CachedPage {
  readonly response: FetchedResponse;
  /** When the page was last known to be current, in milliseconds since the epoch. */
  readonly checkedAt: number;
}

/** Caches pages, so that reading the next chunk needs no request. */
export interface PageCache {
  get(url: string): CachedPage | undefined;
  set(url: string, page: CachedPage): void;
}

const maxBytes = 32_000_000;
const maxPages = 100;

/** Creates an empty LRU cache that limits the number of pages and their total bytes. */
export function createPageCache(): PageCache {
  const pages = new Map<string, CachedPage>();
  let bytes = 0;
  const remove = (url: string): void => {
    bytes -= pages.get(url)?.response.body.length ?? 0;
    pages.delete(url);
  };
  return {
    get(url) {
      const page = pages.get(url);
      if (page) {
        pages.delete(url);
        pages.set(url, page);
      }
      return page;
    },
    set(url, page) {
      remove(url);
      if (page.response.body.length > maxBytes) return;
      pages.set(url, page);
      bytes += page.response.body.length;
      for (const oldest of pages.keys()) {
        if (bytes <= maxBytes && pages.size <= maxPages) break;
        remove(oldest);
      }
    },
  };
}

/** Returns the headers of a conditional request. Empty if the server sent no validator. */
export function revalidationOf({ headers }: FetchedResponse): Readonly<Record<string, string>> {
  const { etag, 'last-modified': modified } = headers;
  return {
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(modified === undefined ? {} : { 'if-modified-since': modified }),
  };
}

/** Checks whether the server allows a response to be cached. */
export function mayBeKept({ status, headers }: FetchedResponse): boolean {
  return status === 200 && !/\bno-store\b/i.test(headers['cache-control'] ?? '') && headers['vary']?.trim() !== '*';
}
