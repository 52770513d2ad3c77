import { defineTool, failure, findNearestNames, success, toolError, type AnyTool } from '@haft/core';
import { eraseTool } from '@haft/core/define';
import { z } from 'zod';
import type { DocsIndex } from './docs-index.ts';
import { readPages, type Page } from './read-pages.ts';
import { splitSections, type Section } from './split-sections.ts';

/** Maximum number of characters that a call returns. */
const maxCharacters = 20_000;
const excerptLength = 300;

/** Creates the tools that search and read the documentation. The pages are read at the first call. */
export function createDocsTools(read: () => readonly Page[] = readPages): readonly AnyTool[] {
  let loaded: Promise<Documentation> | undefined;
  const documentation = (): Promise<Documentation> => (loaded ??= load(read));
  return [eraseTool(createSearchTool(documentation)), eraseTool(createReadTool(documentation))];
}

interface Documentation {
  readonly pages: readonly Page[];
  readonly index: DocsIndex;
}

async function load(read: () => readonly Page[]): Promise<Documentation> {
  const { createDocsIndex } = await import('./docs-index.ts');
  const pages = read();
  return { pages, index: createDocsIndex(pages) };
}

const createSearchTool = (documentation: () => Promise<Documentation>) =>
  defineTool({
    name: 'search_docs',
    title: 'Search the documentation of Haft',
    description:
      'Searches the documentation of Haft, the TypeScript packages @haft/* that run tool calls of language models. Returns the page, the section and an excerpt of each match, best first. Read a page with read_doc.',
    kind: 'read',
    input: z.object({
      query: z
        .string()
        .min(1)
        .describe('A few words or the name of a function, such as "repair JSON" or "createToolkit"'),
      limit: z.int().min(1).max(20).default(8).describe('Number of results'),
    }),
    execute: async ({ query, limit }) => {
      const { index, pages } = await documentation();
      const found = index.search(query, limit);
      if (found.length === 0) {
        return `Nothing matches "${query}". Use other or fewer words, or read one of: ${pages.map(({ name }) => name).join(', ')}.`;
      }
      return found.map((section) => describeMatch(section, query)).join('\n\n');
    },
  });

function describeMatch({ page, heading, text }: Section, query: string): string {
  const body = text.replace(/^#+ .*\n+/, '');
  const place = heading === page.title ? page.name : `${page.name}, section "${heading}"`;
  return `${place}\n${excerpt(body, query)}`;
}

/** The text around the first word of the query. */
function excerpt(text: string, query: string): string {
  const words = query.toLowerCase().split(/\s+/);
  const lower = text.toLowerCase();
  const first = Math.min(...words.map((word) => lower.indexOf(word)).map((at) => (at < 0 ? Infinity : at)));
  const around = Number.isFinite(first) ? Math.max(0, first - excerptLength / 3) : 0;
  const start = around === 0 ? 0 : text.indexOf(' ', around) + 1;
  const cut = text
    .slice(start, start + excerptLength)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return `${start > 0 ? '… ' : ''}${cut}${start + excerptLength < text.length ? ' …' : ''}`;
}

const createReadTool = (documentation: () => Promise<Documentation>) =>
  defineTool({
    name: 'read_doc',
    title: 'Read the documentation of Haft',
    description:
      'Reads a page of the documentation of Haft as Markdown, or one of its sections. Find pages with search_docs.',
    kind: 'read',
    input: z.object({
      page: z.string().min(1).describe('Name of the page, such as "guides/mcp" or "packages/core"'),
      section: z.string().optional().describe('Heading of a section, such as "Install"; without it the whole page'),
      offset: z.int().min(0).default(0).describe('Character to begin with, for the rest of a long page'),
    }),
    aliases: { page: ['name', 'path'], section: ['heading'] },
    execute: async ({ page: given, section, offset }, { callId }) => {
      const { pages } = await documentation();
      const names = pages.map(({ name }) => name);
      const page = pages.find(({ name }) => name === nameOf(given, names));
      if (page === undefined) {
        const nearest = findNearestNames(given, names, 3);
        const hint = `Use one of ${(nearest.length > 0 ? nearest : names).join(', ')}, or search with search_docs.`;
        return failure(callId, toolError('NO_SUCH_PAGE', `there is no page ${given}`, { fault: 'model', hint }));
      }
      const text = section === undefined ? page.text : findSection(page, section);
      if (text === undefined) {
        const headings = splitSections(page).map(({ heading }) => `"${heading}"`);
        const hint = `Use one of ${headings.join(', ')}.`;
        return failure(
          callId,
          toolError('NO_SUCH_SECTION', `${page.name} has no section "${section}"`, { fault: 'model', hint }),
        );
      }
      return success(callId, textFrom(text, offset));
    },
  });

/**
 * Finds a page by the forms that its links and paths take: `../guides/mcp.md#servers`, `docs/errors.md`, `@haft/core`.
 */
function nameOf(given: string, names: readonly string[]): string {
  const plain = given
    .replace(/#.*$/, '')
    .replace(/^(?:\.{0,2}\/)*(?:docs\/)?/, '')
    .replace(/^@haft\//, 'packages/')
    .replace(/(?:\/README)?\.md$/i, '');
  if (names.includes(plain)) return plain;
  const ending = names.filter((name) => name.endsWith(`/${plain}`));
  return ending.length === 1 ? (ending[0] ?? plain) : plain === '' ? 'README' : plain;
}

/** A section with those below it. */
function findSection(page: Page, wanted: string): string | undefined {
  const sections = splitSections(page);
  const plain = (heading: string): string => heading.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-');
  const at = sections.findIndex(({ heading }) => plain(heading) === plain(wanted));
  const first = sections[at];
  if (first === undefined) return undefined;
  const isTop = first.text.startsWith('## ');
  const following = isTop ? sections.slice(at + 1) : [];
  const end = following.findIndex(({ text }) => !text.startsWith('### '));
  return [first, ...following.slice(0, end < 0 ? undefined : end)].map(({ text }) => text).join('\n\n');
}

function textFrom(text: string, offset: number): string {
  const part = text.slice(offset, offset + maxCharacters);
  const next = offset + part.length;
  if (next >= text.length) return part === '' ? `The text ends at character ${text.length}.` : part;
  return `${part}\n\n[cut: ${text.length - next} more characters; continue with offset ${next}]`;
}
