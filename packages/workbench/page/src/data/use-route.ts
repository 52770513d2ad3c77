import { useSyncExternalStore } from 'react';

/** The page, the selected item and further choices, from the fragment of the URL: `#/tools/read`, `#/runs/a?with=b`. */
export interface Route {
  readonly page: string;
  readonly item: string;
  /** The part after a question mark. */
  readonly query: string;
}

function subscribe(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}

/** Returns the current route. */
export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  const [path = '', ...rest] = hash.replace(/^#\/?/, '').split('?');
  const [page = '', item = ''] = path.split('/');
  return { page: page === '' ? 'tools' : page, item: decoded(item), query: rest.join('?') };
}

/** Returns the URL of a page, an item, and further choices. */
export function routeTo(page: string, item = '', choices: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(choices).toString();
  return `#/${page}${item === '' ? '' : `/${encodeURIComponent(item)}`}${query === '' ? '' : `?${query}`}`;
}

/** A URL that a person typed may contain a lone percent sign. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
