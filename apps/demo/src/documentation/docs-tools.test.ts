import { createDispatcher, renderForModel } from '@haft/core';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createTemporaryFolder } from '../testing/temporary-folder.ts';
import { createDocsTools } from './docs-tools.ts';
import { readPages, type Page } from './read-pages.ts';
import { splitSections } from './split-sections.ts';

const files = {
  'core/README.md': '# @haft/core\n\nRuns calls.\n\n## Install\n\nnpm install @haft/core\n\n## Limits\n\nNone known.\n',
  'core/dist/docs/adding/tool.md':
    '# Adding a tool\n\nA tool has a name.\n\n## Rules\n\nDeclare the footprint.\n\n### Kinds\n\nread or edit\n\n```md\n## not a heading\n```\n\n## Test\n\nUse describeTool.\n',
  'core/dist/docs/notes.txt': 'no page',
  'mcp/README.md': '# @haft/mcp\n\nServes tools.\n',
  'mcp/dist/docs/guides/mcp.md': `# MCP\n\n## Servers\n\n${'Sessions belong to callers. '.repeat(2_000)}The end.\n`,
  'haft/dist/docs/skills/serve.md':
    '---\nname: serve\ndescription: How to serve.\n---\n\n# Serve tools\n\nOver HTTP.\n',
};

async function readMadePages(): Promise<readonly Page[]> {
  const folder = await createTemporaryFolder(onTestFinished, files);
  return readPages([
    { folder: join(folder, 'haft') },
    { folder: join(folder, 'core'), readme: 'packages/core' },
    { folder: join(folder, 'mcp'), readme: 'packages/mcp' },
  ]);
}

async function ask(name: string, given: object): Promise<string> {
  const pages = await readMadePages();
  const source = createDispatcher({ registry: createDocsTools(() => pages) });
  return renderForModel(await source.dispatch({ id: 'call_1', name, arguments: given }));
}

describe('readPages', () => {
  test('reads READMEs and Markdown below dist/docs, without front matter', async () => {
    const pages = await readMadePages();
    expect(pages.map(({ name, title }) => [name, title])).toEqual([
      ['adding/tool', 'Adding a tool'],
      ['guides/mcp', 'MCP'],
      ['packages/core', '@haft/core'],
      ['packages/mcp', '@haft/mcp'],
      ['skills/serve', 'Serve tools'],
    ]);
    expect(pages.at(-1)?.text).not.toContain('description:');
  });

  test('finds the READMEs of this program and of the packages that it depends on', () => {
    const names = readPages().map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['packages/haft', 'packages/core', 'packages/mcp', 'packages/toolkit']),
    );
  });
});

test('splitSections ignores headings in fenced code', async () => {
  const page = (await readMadePages()).find(({ name }) => name === 'adding/tool') ?? expect.fail();
  expect(splitSections(page).map(({ heading }) => heading)).toEqual(['Adding a tool', 'Rules', 'Kinds', 'Test']);
});

describe('search_docs', () => {
  test('finds sections by heading, text, part of a name, and despite a typo', async () => {
    expect(await ask('search_docs', { query: 'install core' })).toMatch(
      /^packages\/core, section "Install"\nnpm install/,
    );
    expect(await ask('search_docs', { query: 'footprint' })).toMatch(/^adding\/tool, section "Rules"\nDeclare/);
    expect(await ask('search_docs', { query: 'describe' })).toContain('adding/tool, section "Test"');
    expect(await ask('search_docs', { query: 'fotprint' })).toContain('section "Rules"');
  });

  test('lists the pages when nothing matches, and explains wrong arguments', async () => {
    expect(await ask('search_docs', { query: 'zebra' })).toMatch(
      /Nothing matches "zebra".*read one of: adding\/tool, /,
    );
    expect(await ask('search_docs', {})).toMatch(/INVALID_ARGS[^]*query/);
  });

  test('returns the same results in every run, at most as many as requested', async () => {
    const query = { query: 'tool tools calls', limit: 2 };
    const first = await ask('search_docs', query);
    expect(await ask('search_docs', query)).toBe(first);
    expect(first.split('\n\n')).toHaveLength(2);
  });
});

describe('read_doc', () => {
  test.each(['packages/core', '@haft/core', '../../packages/core', 'packages/core/README.md', 'core'])(
    'reads a page by the name %s',
    async (page) => {
      expect(await ask('read_doc', { page })).toBe(files['core/README.md']);
    },
  );

  test('reads links between pages', async () => {
    expect(await ask('read_doc', { page: '../adding/tool.md#rules' })).toBe(files['core/dist/docs/adding/tool.md']);
  });

  test('reads a section with those below it', async () => {
    const text = await ask('read_doc', { page: 'adding/tool', section: 'rules' });
    expect(text).toMatch(/^## Rules\n[^]*### Kinds\n[^]*## not a heading\n```$/);
    expect(text).not.toContain('## Test');
    expect(await ask('read_doc', { page: 'adding/tool', section: 'Kinds' })).toMatch(/^### Kinds/);
  });

  test('reads a long page in parts', async () => {
    const first = await ask('read_doc', { page: 'guides/mcp' });
    const [, offset = ''] = /continue with offset (\d+)\]$/.exec(first) ?? [];
    expect(Number(offset)).toBe(20_000);
    const third = await ask('read_doc', { page: 'guides/mcp', offset: 40_000 });
    expect(third).toMatch(/The end\.\n$/);
    expect(await ask('read_doc', { page: 'guides/mcp', offset: 1e6 })).toMatch(/^The text ends at character \d+/);
  });

  test('names similar pages and the sections of a page', async () => {
    expect(await ask('read_doc', { page: 'adding/tols' })).toMatch(/NO_SUCH_PAGE[^]*Use one of adding\/tool/);
    expect(await ask('read_doc', { page: 'packages/core', section: 'API' })).toMatch(
      /NO_SUCH_SECTION[^]*Use one of "@haft\/core", "Install", "Limits"/,
    );
  });

  test.each(['/etc/passwd', '../../../../etc/passwd', '../../package.json'])(
    'reads no other file: %s',
    async (page) => {
      expect(await ask('read_doc', { page })).toContain('NO_SUCH_PAGE');
    },
  );
});
