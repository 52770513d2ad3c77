import { describe, expect, it } from 'vitest';
import { defineTool, eraseTool } from '../define/define-tool.ts';
import { splitWords } from './split-search-words.ts';
import { createToolIndex } from './tool-index.ts';

const tool = (
  name: string,
  description: string,
  properties: Record<string, unknown> = {},
): ReturnType<typeof eraseTool> =>
  eraseTool(
    defineTool({ name, naming: 'wire', description, input: { type: 'object', properties }, execute: () => undefined }),
  );

const index = createToolIndex([
  tool('github_createPullRequest', 'Opens a change for review.'),
  tool('github_list_issues', 'Lists the issues of a repository.', { assignee: { description: 'Whose issues' } }),
  tool('send_email', 'Sends a letter to somebody.', { recipient: { type: 'string' } }),
  tool('weather_forecast', 'What the sky will do.'),
  tool('fanyi', '将文本翻译成另一种语言'),
  { ...tool('cut', 'Says little.'), searchText: 'barometer' },
]);
const names = (query: string): readonly string[] => index.search(query).map((found) => found.tool.name);

describe('a tool index', () => {
  it.each([
    ['the words of a name', 'create pull request', 'github_createPullRequest'],
    ['a description', 'open for review', 'github_createPullRequest'],
    ['a parameter', 'recipient', 'send_email'],
    ['a description of a parameter', 'whose', 'github_list_issues'],
    ['one of many', 'issue', 'github_list_issues'],
    ['an abbreviation', 'repo', 'github_list_issues'],
    ['a slip of the pen', 'wether forcast', 'weather_forecast'],
    ['another script', '翻译', 'fanyi'],
    ['text that no model sees', 'barometer', 'cut'],
  ])('finds a tool by %s', (_what, query, name) => {
    expect(names(query)[0]).toBe(name);
  });

  it.each(['', ' ', '!?', 'zebra crossing', '\u0000', 'q'.repeat(100_000)])('finds nothing for %j', (query) => {
    expect(names(query.slice(0, 50))).toEqual([]);
    expect(names(query)).toEqual([]);
  });

  it('returns the requested number of tools, best first', () => {
    expect(index.search('github', 1)).toHaveLength(1);
    expect(index.search('github', 0)).toEqual([]);
    const [first, second] = index.search('github issue');
    expect(first!.score).toBeGreaterThan(second!.score);
  });
});

describe('words', () => {
  it('are split from names in any style', () => {
    expect(splitWords('HTTPServer_getItem2')).toEqual(['http', 'server', 'get', 'item2']);
    expect(splitWords('create-pull.request')).toEqual(['create', 'pull', 'request']);
    expect(splitWords('queries classes')).toEqual(['query', 'classe']);
  });
});
