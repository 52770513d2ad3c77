import { createNetworkGuard } from '@haft/sandbox';
import { stringKind, urlKind, checkOptions, custom, described, required, type OptionTable } from '@haft/core/options';
import { invalidOption } from '../../builtins-error.ts';
import { fetchJson, connectionKinds, memberOf, textOf, type SearchConnection } from './fetch-json.ts';
import type { SearchProvider } from './search-provider.ts';

/** Options of {@link createBraveSearch}. */
export interface BraveOptions extends SearchConnection {
  /** The API key of a subscription. */
  readonly apiKey: string;
  /** The base URL of the API, for example of a proxy that adds the key. Default: Brave. */
  readonly url?: string;
  /** A country code of two letters, such as `de`. Default: chosen by Brave. */
  readonly country?: string;
  /** The language of the results, such as `en`. Default: chosen by Brave. */
  readonly language?: string;
}

const ownUrl = 'https://api.search.brave.com/res/v1/web/search';
const maxHits = 20;

const table: OptionTable<BraveOptions> = {
  ...connectionKinds,
  apiKey: required(
    custom<string>(
      'the key of a Brave Search subscription',
      (value) => typeof value === 'string' && /^[\x21-\x7e]+$/.test(value),
    ),
  ),
  url: described('the URL of an API', urlKind('http:', 'https:')),
  country: stringKind,
  language: stringKind,
};

/**
 * Creates a search provider that uses the Brave API.
 *
 * @throws BuiltinsError `INVALID_OPTION`.
 */
export function createBraveSearch(options: BraveOptions): SearchProvider {
  checkOptions('createBraveSearch', options, table, '{ apiKey }', invalidOption);
  const { apiKey, country, language } = options;
  const endpoint = new URL(options.url ?? ownUrl);
  const guard = options.guard ?? createNetworkGuard();
  return {
    name: 'Brave',
    host: endpoint.hostname,
    async search(request) {
      const url = new URL(endpoint);
      url.search = new URLSearchParams({
        q: request.query,
        count: String(Math.min(request.limit, maxHits)),
        ...(country === undefined ? {} : { country }),
        ...(language === undefined ? {} : { search_lang: language }),
      }).toString();
      const answer = await fetchJson(url, guard, { 'x-subscription-token': apiKey }, request, options);
      if (!answer.ok) return answer;
      // The list is absent if there are no hits.
      const results = memberOf(memberOf(answer.value, 'web'), 'results') ?? [];
      if (!Array.isArray(results))
        return { ok: false, problem: 'malformed', message: 'its answer has no list of results' };
      const hits = results.map((result: unknown) => {
        const published = textOf(result, 'page_age').slice(0, 10);
        return {
          title: textOf(result, 'title'),
          url: textOf(result, 'url'),
          snippet: textOf(result, 'description'),
          ...(published === '' ? {} : { published }),
        };
      });
      return { ok: true, hits };
    },
  };
}
