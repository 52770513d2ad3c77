import type { FetchedResponse } from '@haft/sandbox';

/** A page as it was fetched. */
export interface CachedPage {
  readonly response: FetchedResponse;
  /** When it was last known to be current, in milliseconds since the epoch. */
  readonly checkedAt: number;
}

/** Keeps pages for a while, so that reading on costs no further request. */
export interface PageCache {
  get(url: string): CachedPage | undefined;
  set(url: string, page: CachedPage): void;
}

const mostBytes = 32_000_000;
const mostPages = 100;

/** Makes an empty cache, bounded in pages and bytes; what was used longest ago goes first. */
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
      if (page.response.body.length > mostBytes) return;
      pages.set(url, page);
      bytes += page.response.body.length;
      for (const oldest of pages.keys()) {
        if (bytes <= mostBytes && pages.size <= mostPages) break;
        remove(oldest);
      }
    },
  };
}

/** The headers that ask whether a page has changed; none where the server gave nothing to ask by. */
export function revalidationOf({ headers }: FetchedResponse): Readonly<Record<string, string>> {
  const { etag, 'last-modified': modified } = headers;
  return {
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(modified === undefined ? {} : { 'if-modified-since': modified }),
  };
}

/** Whether the server lets an answer be kept. */
export function mayBeKept({ status, headers }: FetchedResponse): boolean {
  return status === 200 && !/\bno-store\b/i.test(headers['cache-control'] ?? '') && headers['vary']?.trim() !== '*';
}
