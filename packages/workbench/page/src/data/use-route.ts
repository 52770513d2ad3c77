import { useSyncExternalStore } from 'react';

/** The page and the selected item, from the fragment of the URL: `#/tools/read`. */
export interface Route {
  readonly page: string;
  readonly item: string;
}

function subscribe(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}

/** Returns the current route. */
export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  const [page = '', item = ''] = hash.replace(/^#\/?/, '').split('/');
  return { page: page === '' ? 'tools' : page, item: decodeURIComponent(item) };
}

/** Returns the URL of a page and an item. */
export function routeTo(page: string, item = ''): string {
  return item === '' ? `#/${page}` : `#/${page}/${encodeURIComponent(item)}`;
}
