import { createNetworkGuard } from '@haft/sandbox';
import {
  arrayOf,
  stringKind,
  urlKind,
  checkOptions,
  described,
  recordOf,
  required,
  type OptionTable,
} from '@haft/core/options';
import { invalidOption } from '../../builtins-error.ts';
import { fetchJson, connectionKinds, memberOf, textOf, type SearchConnection } from './fetch-json.ts';
import type { SearchProvider } from './search-provider.ts';

/** Options of {@link createSearxngSearch}. */
export interface SearxngOptions extends SearchConnection {
  /**
   * The base URL of the instance, such as `http://localhost:8888`. It may be inside your network. The settings of the
   * instance must allow `json`.
   */
  readonly url: string;
  /** Categories such as `general` or `it`. Default: those of the instance. */
  readonly categories?: readonly string[];
  /** A language such as `en` or `de-CH`. Default: that of the instance. */
  readonly language?: string;
  /** Headers to send, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
}

const table: OptionTable<SearxngOptions> = {
  ...connectionKinds,
  url: required(described('the URL of an instance, such as "http://localhost:8888"', urlKind('http:', 'https:'))),
  categories: arrayOf(stringKind),
  language: stringKind,
  headers: recordOf(stringKind),
};

/**
 * Creates a search provider that uses a SearXNG instance.
 *
 * @throws BuiltinsError `INVALID_OPTION`.
 */
export function createSearxngSearch(options: SearxngOptions): SearchProvider {
  checkOptions('createSearxngSearch', options, table, '{ url: "http://localhost:8888" }', invalidOption);
  const base = new URL(options.url);
  const { hostname, port, protocol, pathname } = base;
  // The program chose this instance, so its address is always allowed. Its redirects are not.
  const place = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
  const guard =
    options.guard ?? createNetworkGuard({ allow: [hostname.startsWith('[') ? hostname.slice(1, -1) : place] });
  return {
    name: 'SearXNG',
    host: hostname,
    async search(request) {
      const url = new URL(base);
      url.pathname = `${pathname.replace(/\/(?:search\/?)?$/, '')}/search`;
      url.search = new URLSearchParams({
        q: request.query,
        format: 'json',
        ...(options.language === undefined ? {} : { language: options.language }),
        ...(options.categories === undefined ? {} : { categories: options.categories.join(',') }),
      }).toString();
      const answer = await fetchJson(url, guard, options.headers ?? {}, request, options);
      if (!answer.ok) return answer;
      const results = memberOf(answer.value, 'results');
      if (!Array.isArray(results))
        return { ok: false, problem: 'malformed', message: 'its answer has no list of results' };
      const hits = results.map((result: unknown) => ({
        title: textOf(result, 'title'),
        url: textOf(result, 'url'),
        snippet: textOf(result, 'content'),
        ...publishedOf(textOf(result, 'publishedDate')),
      }));
      return { ok: true, hits };
    },
  };
}

function publishedOf(date: string): { readonly published?: string } {
  return date === '' ? {} : { published: date.slice(0, 10) };
}
