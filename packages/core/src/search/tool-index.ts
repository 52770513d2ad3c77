import MiniSearch from 'minisearch';
import type { JsonSchema } from '@haft/schema';
import type { AnyTool } from '../contracts/tools/tool.ts';
import { splitWords } from './split-words.ts';

/** A tool that a search found. */
export interface FoundTool {
  readonly tool: AnyTool;
  /** How well it fits: comparable within one search, larger is better. */
  readonly score: number;
}

/** Finds tools by what they are about. */
export interface ToolIndex {
  /** The tools that fit a query of words best, the best first; none when no word fits. `limit` defaults to 5. */
  search(query: string, limit?: number): readonly FoundTool[];
}

const maxQueryLength = 400;

/**
 * Makes an index over the names, titles, descriptions and parameters of tools. Ranked by BM25+ (Lv and Zhai, 2011) with
 * names weighing most; words may be abbreviated, and longer ones may be misspelt in one letter of five.
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
      // Equal scores come in the order of names, so that the same question has the same answer.
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
    description: tool.description,
    parameters: describeParameters(tool.input.jsonSchema),
  };
}

/** Names and descriptions of the properties of the root, which is where tools say what they take. */
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
