import MiniSearch from 'minisearch';
import type { JsonSchema } from '@haft/schema';
import type { AnyTool } from '../contracts/tools/tool.ts';
import { splitWords } from './split-search-words.ts';

/** A search result. */
export interface FoundTool {
  readonly tool: AnyTool;
  /** Relevance score. Higher is better, and scores are comparable only within one search. */
  readonly score: number;
}

/** A full-text index of tools. */
export interface ToolIndex {
  /**
   * Returns the tools that match a query, best first. Returns an empty array if no word matches. `limit` defaults to 5.
   */
  search(query: string, limit?: number): readonly FoundTool[];
}

const maxQueryLength = 400;

/**
 * Creates an index over the names, titles, descriptions and parameters of tools. Ranks results with BM25+ (Lv and Zhai,
 * 2011) and gives names the highest weight. Supports word prefixes, and typos in longer words in one of five letters.
 *
 * @example
 * import { defineTool } from '@haft/core';
 * import { createToolIndex } from '@haft/core/search';
 * const forecast = defineTool({ name: 'forecast', description: 'Returns the weather of a city.', kind: 'read', execute: () => '' });
 * const pay = defineTool({ name: 'pay', description: 'Pays an invoice.', execute: () => '' });
 * createToolIndex([forecast, pay]).search('weather').map(({ tool }) => tool.name); // => ['forecast']
 */
export function createToolIndex(tools: readonly AnyTool[]): ToolIndex {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const index = new MiniSearch({
    idField: 'name',
    fields: ['words', 'title', 'description', 'parameters'],
    tokenize: splitWords,
    processTerm: (term) => term,
    searchOptions: {
      boost: { words: 4, title: 2, description: 1.5 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      weights: { prefix: 0.5, fuzzy: 0.3 },
    },
  });
  index.addAll([...byName.values()].map(describe));
  return {
    search(query, limit = 5) {
      const found = index.search(query.slice(0, maxQueryLength));
      // Sorts equal scores by name, so that results are deterministic.
      const ranked = found.map(({ id, score }) => ({ name: String(id), score }));
      ranked.sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
      return ranked.slice(0, Math.max(0, limit)).map(({ name, score }) => ({ tool: byName.get(name)!, score }));
    },
  };
}

function describe(tool: AnyTool): Readonly<Record<'name' | 'words' | 'title' | 'description' | 'parameters', string>> {
  return {
    name: tool.name,
    words: tool.name,
    title: tool.title,
    description: `${tool.description} ${tool.searchText ?? ''}`,
    parameters: describeParameters(tool.input.jsonSchema),
  };
}

/** Returns the names and descriptions of the properties of the root schema. */
function describeParameters(schema: JsonSchema): string {
  const properties: unknown = typeof schema === 'object' ? schema.properties : undefined;
  if (typeof properties !== 'object' || properties === null) return '';
  return Object.entries(properties)
    .map(([name, property]: [string, unknown]) => `${name} ${descriptionOf(property)}`)
    .join(' ');
}

function descriptionOf(property: unknown): string {
  if (typeof property !== 'object' || property === null || !('description' in property)) return '';
  return typeof property.description === 'string' ? property.description : '';
}
