import type { AnyTool } from '../contracts/tools/tool.ts';
import { defineTool, eraseTool } from '../define/define-tool.ts';
import type { FoundTool } from './tool-index.ts';

/** Dependencies of the tool. */
export interface ToolFinder {
  /** Finds tools and makes them callable from the next turn on. */
  find(query: string, limit: number): readonly FoundTool[];
  /** Returns the number of searchable tools. */
  count(): number;
}

const maxResults = 20;
const shortText = 160;

/** Creates `search_tools`, with which a model finds tools that are not shown from the start. */
export function createSearchToolsTool(finder: ToolFinder, limit: number): AnyTool {
  return eraseTool(
    defineTool({
      name: 'search_tools',
      title: 'Search tools',
      description:
        'Finds more tools by purpose. Use it when none of your tools fits; the tools it finds can be called from your next turn on.',
      kind: 'read',
      traits: { sideEffects: 'none' },
      parallelizable: false,
      input: {
        type: 'object',
        properties: {
          query: {
            type: 'string',
            minLength: 1,
            description: 'What the tool should do, such as "create issue"',
          },
          max_results: { type: 'integer', minimum: 1, maximum: maxResults, description: `Default ${limit}` },
        },
        required: ['query'],
        additionalProperties: false,
      },
      aliases: { query: ['q', 'search', 'keywords'], max_results: ['limit', 'count', 'top_k'] },
      initialTitle: ({ query }) => `search_tools ${query}`,
      execute: ({ query, max_results: most = limit }) => describeFound(finder.find(query, most), query, finder.count()),
    }),
  );
}

function describeFound(found: readonly FoundTool[], query: string, count: number): string {
  if (found.length === 0) {
    return `None of ${count} tools matches ${JSON.stringify(query.slice(0, 80))}. Use other, fewer or more general words.`;
  }
  const lines = found.map(({ tool }) => `- ${tool.name}: ${firstSentence(tool.description)}`);
  return `Found ${found.length} of ${count} tools. Call them by name from your next turn on:\n${lines.join('\n')}`;
}

function firstSentence(description: string): string {
  const [line = ''] = description.trim().split('\n', 1);
  const end = line.search(/[.!?](?:\s|$)/u);
  const sentence = end === -1 ? line : line.slice(0, end + 1);
  return sentence.length > shortText ? `${sentence.slice(0, shortText - 1)}…` : sentence;
}
