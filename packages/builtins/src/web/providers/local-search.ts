import { checkOption, custom } from '@haft/core/options';
import { invalidOption } from '../../builtins-error.ts';
import type { SearchHit, SearchProvider } from './search-provider.ts';

const pagesKind = custom('a list of { title, url, snippet }', Array.isArray);

/**
 * Creates a search provider over a fixed list of pages, for tests and for your own documents. Ranks pages by the number
 * of query words in their title and snippet. Equal queries return equal results.
 *
 * @throws BuiltinsError `INVALID_OPTION`.
 */
export function createLocalSearch(pages: readonly SearchHit[]): SearchProvider {
  checkOption('createLocalSearch', 'its argument', pages, pagesKind, invalidOption);
  const indexed = pages.map((page) => ({ page, title: wordsOf(page.title), snippet: wordsOf(page.snippet) }));
  return {
    name: 'local',
    search: async ({ query, limit }) => {
      const wanted = wordsOf(query);
      const found = indexed
        .map(({ page, title, snippet }) => ({
          page,
          score: 3 * countShared(wanted, title) + countShared(wanted, snippet),
        }))
        .filter(({ score }) => score > 0)
        // The sort is stable, so equally ranked pages keep their order.
        .toSorted((one, other) => other.score - one.score);
      return { ok: true, hits: found.slice(0, limit).map(({ page }) => page) };
    },
  };
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

function countShared(wanted: ReadonlySet<string>, words: ReadonlySet<string>): number {
  return [...wanted].filter((word) => words.has(word)).length;
}
