import MiniSearch from 'minisearch';
import type { Page } from './read-pages.ts';
import { splitSections, type Section } from './split-sections.ts';

/** A full-text index of sections. */
export interface DocsIndex {
  /** Returns the sections that match a query, best first; at most two of one page. */
  search(query: string, limit: number): readonly Section[];
}

const maxPerPage = 2;

/** Creates an index of the sections of pages. Headings weigh most, then page titles, then text. */
export function createDocsIndex(pages: readonly Page[]): DocsIndex {
  const sections = pages.flatMap(splitSections);
  const index = new MiniSearch({
    fields: ['heading', 'title', 'name', 'text'],
    tokenize: splitWords,
    searchOptions: {
      boost: { heading: 4, title: 2, name: 2 },
      prefix: (term) => term.length > 3,
      fuzzy: (term) => (term.length > 5 ? 0.2 : false),
      weights: { prefix: 0.4, fuzzy: 0.2 },
    },
  });
  index.addAll(
    sections.map(({ page, heading, text }, id) => ({ id, heading, text, title: page.title, name: page.name })),
  );
  return {
    search(query, limit) {
      const found = index
        .search(query.slice(0, 400))
        .toSorted((one, other) => other.score - one.score || Number(one.id) - Number(other.id));
      const perPage = new Map<string, number>();
      return found
        .map(({ id }) => sections[Number(id)])
        .filter((section): section is Section => {
          if (section === undefined) return false;
          const count = (perPage.get(section.page.name) ?? 0) + 1;
          perPage.set(section.page.name, count);
          return count <= maxPerPage;
        })
        .slice(0, limit);
    },
  };
}

/** Splits prose and code into words: `createToolkit` is found as a whole and by each of its words. */
function splitWords(text: string): string[] {
  return text.split(/[^\p{L}\p{N}_]+/u).flatMap((word) => {
    if (word === '') return [];
    const parts = word.split(/_|(?<=[a-z\d])(?=[A-Z])/).filter((part) => part !== '');
    return parts.length > 1 ? [word, ...parts] : [word];
  });
}
