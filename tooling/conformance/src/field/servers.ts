/** A popular server that is an npm package. */
export interface FieldServer {
  readonly package: string;
  readonly args?: readonly string[];
  /** Variables that the server needs to start, with invented values. */
  readonly env?: Readonly<Record<string, string>>;
  /** A call that needs no network and no account. Default: only lists. */
  readonly call?: { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> };
}

/** `{folder}` is replaced by an empty folder. */
export const fieldServers: readonly FieldServer[] = [
  {
    package: '@modelcontextprotocol/server-everything',
    args: ['stdio'],
    call: { tool: 'echo', arguments: { message: 'hello' } },
  },
  {
    package: '@modelcontextprotocol/server-filesystem',
    args: ['{folder}'],
    call: { tool: 'list_directory', arguments: { path: '{folder}' } },
  },
  {
    package: '@modelcontextprotocol/server-memory',
    env: { MEMORY_FILE_PATH: '{folder}/memory.json' },
    call: { tool: 'read_graph', arguments: {} },
  },
  {
    package: '@modelcontextprotocol/server-sequential-thinking',
    call: {
      tool: 'sequentialthinking',
      arguments: { thought: 'one', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
    },
  },
  { package: '@modelcontextprotocol/server-github', env: { GITHUB_PERSONAL_ACCESS_TOKEN: 'not-a-real-token' } },
  { package: '@modelcontextprotocol/server-puppeteer' },
  { package: '@playwright/mcp', args: ['--headless', '--isolated'] },
  { package: 'chrome-devtools-mcp', args: ['--headless', '--isolated'] },
  { package: '@upstash/context7-mcp' },
  { package: '@notionhq/notion-mcp-server', env: { NOTION_TOKEN: 'not-a-real-token' } },
  { package: '@brave/brave-search-mcp-server', env: { BRAVE_API_KEY: 'not-a-real-key' } },
  { package: 'tavily-mcp', env: { TAVILY_API_KEY: 'not-a-real-key' } },
  { package: 'firecrawl-mcp', env: { FIRECRAWL_API_KEY: 'not-a-real-key' } },
  { package: 'exa-mcp-server', env: { EXA_API_KEY: 'not-a-real-key' } },
  { package: '@wonderwhy-er/desktop-commander', call: { tool: 'list_sessions', arguments: {} } },
];
