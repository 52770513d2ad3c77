import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { listSitePages, repositoryRoot } from '../site-map.ts';
import { addressesOf, renderPage } from './collect-pages.ts';
import { includeSections } from './include-sections.ts';
import { mapProse } from './map-prose.ts';
import { rewriteLinks, type LinkTargets } from './rewrite-links.ts';
import { splitTitle } from './split-title.ts';

const targets: LinkTargets = {
  addresses: new Map([
    ['docs/errors.md', '/errors/'],
    ['packages/core', '/packages/core/'],
  ]),
  kindOf: (path) => (path === 'missing.md' ? undefined : /\.\w+$/.test(path) || path === 'LICENSE' ? 'file' : 'folder'),
  repository: 'https://example.com/haft',
  picture: (path) => `/pictures/${path}`,
};
const rewrite = (markdown: string): string => rewriteLinks(markdown, 'docs/guides/a.md', targets);

describe('the links of a collected page', () => {
  it('lead to pages of the site, with their anchors', () => {
    expect(rewrite('[Errors](../errors.md#a), [core](../../packages/core)')).toBe(
      '[Errors](/errors/#a), [core](/packages/core/)',
    );
  });

  it('lead to the repository if the site has no such page', () => {
    expect(rewrite('[a](../../LICENSE) [b](../../tooling/)')).toBe(
      '[a](https://example.com/haft/blob/main/LICENSE) [b](https://example.com/haft/tree/main/tooling)',
    );
  });

  it('stay unchanged if they are absolute, an anchor, or inside code', () => {
    const text = '[a](https://b.example) [c](#d) `[e](../errors.md)`\n\n```md\n[f](../errors.md)\n```';
    expect(rewrite(text)).toBe(text);
  });

  it('include pictures, also inside links', () => {
    expect(rewrite('[![A](../a.svg)](../errors.md)')).toBe('[![A](/pictures/docs/a.svg)](/errors/)');
  });

  it('must lead to a file', () => {
    expect(() => rewrite('[a](../../missing.md)')).toThrow(
      'docs/guides/a.md: the link ../../missing.md leads to no file',
    );
  });
});

describe('the prose of a page', () => {
  it('excludes fenced code and code in a line', () => {
    expect(mapProse('a `a` a\n````\na\n```\n````\na', (prose) => prose.replaceAll('a', 'b'))).toBe(
      'b `a` b\n````\na\n```\n````\nb',
    );
  });
});

describe('the title of a page', () => {
  it('is its first heading, and the description its first paragraph', () => {
    expect(splitTitle('# `a`\n\n| t |\n\nOne *two* [three](x.md).\n\nFour', 'a.md')).toEqual({
      title: 'a',
      description: 'One two three.',
      body: '\n| t |\n\nOne *two* [three](x.md).\n\nFour',
    });
    expect(() => splitTitle('a', 'a.md')).toThrow('a.md: the first line is not a heading');
  });
});

describe('a section of another page', () => {
  const other = 'x\n<!-- table: written by a program -->\n| a |\n<!-- /table -->\n';

  it('is included at its mark', () => {
    expect(includeSections('1\n<!-- include: b.md table -->\n2', 'a.md', () => other)).toBe('1\n| a |\n2');
  });

  it('must exist', () => {
    expect(() => includeSections('<!-- include: b.md list -->', 'a.md', () => other)).toThrow(
      'a.md: b.md has no section list',
    );
  });
});

describe('the pages of the site', () => {
  const pages = listSitePages();

  it('include every Markdown file of docs, and the README of every package', () => {
    const files = readdirSync(join(repositoryRoot, 'docs'), { recursive: true, encoding: 'utf8' })
      .map((path) => `docs/${path.replaceAll('\\', '/')}`)
      .filter((path) => path.endsWith('.md'));
    const packages = readdirSync(join(repositoryRoot, 'packages')).map((name) => `packages/${name}/README.md`);
    const sources = new Set(pages.map(({ source }) => source));
    expect([...files, ...packages].filter((path) => !sources.has(path))).toEqual([]);
  });

  it('have different addresses', () => {
    expect(new Set(pages.map(({ slug }) => slug)).size).toBe(pages.length);
  });

  it('have a title, a description and links that lead to files', () => {
    const all = { ...targets, addresses: addressesOf(pages), kindOf: () => 'file' as const };
    for (const page of pages) {
      const text = renderPage(page, all);
      expect(text, page.source).toMatch(/^---\ntitle: ".+"\ndescription: ".+"\neditUrl: /);
      expect(text, page.source).not.toMatch(/\]\((?:\.\.?\/)[^)]*\)/);
    }
  });

  it('have a program in each of the thirteen guides', () => {
    const guides = pages.filter(({ slug }) => slug.startsWith('guides/'));
    expect(guides.length).toBeGreaterThanOrEqual(13);
    for (const { source } of guides)
      expect(readFileSync(join(repositoryRoot, source), 'utf8'), source).toMatch(/^```ts\n(?:(?!^```)[^])*\bassert\b/m);
  });
});
