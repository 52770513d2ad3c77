import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { repositoryRoot, type SitePage } from '../site-map.ts';
import { includeSections } from './include-sections.ts';
import { rewriteLinks, type LinkTargets } from './rewrite-links.ts';
import { splitTitle } from './split-title.ts';

/** Where the collected pages and pictures are written. */
export interface CollectOptions {
  readonly pages: readonly SitePage[];
  /** Folder of the content collection. */
  readonly content: string;
  /** Folder of files that are served as they are. */
  readonly files: string;
  /** Web address of the repository. */
  readonly repository: string;
}

/** Writes the pages of the repository as content of the site: with front matter, and links between the pages. */
export function collectPages({ pages, content, files, repository }: CollectOptions): void {
  rmSync(files, { recursive: true, force: true });
  mkdirSync(files, { recursive: true });
  const targets: LinkTargets = {
    addresses: addressesOf(pages),
    kindOf,
    repository,
    picture: (path) => {
      copyFileSync(join(repositoryRoot, path), join(files, basename(path)));
      return `/${basename(files)}/${basename(path)}`;
    },
  };
  for (const page of pages) {
    const file = join(content, `${page.slug === '' ? 'index' : page.slug}.md`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, renderPage(page, targets));
  }
}

/** Returns the text of a page on the site. */
export function renderPage({ source, slug }: SitePage, targets: LinkTargets): string {
  const text = includeSections(readRepositoryFile(source), source, readRepositoryFile);
  const { title, description, body } = splitTitle(text, source);
  const frontMatter = [
    '---',
    `title: ${JSON.stringify(title)}`,
    `description: ${JSON.stringify(description)}`,
    `editUrl: ${targets.repository}/edit/main/${source}`,
    ...(slug === '' ? ['tableOfContents: false'] : []),
    '---',
  ];
  return `${frontMatter.join('\n')}\n${rewriteLinks(body, source, targets)}`;
}

/** The address of each page, by its file, and by its folder if the file is the README of one. */
export function addressesOf(pages: readonly SitePage[]): ReadonlyMap<string, string> {
  const addresses = new Map<string, string>();
  for (const { source, slug } of pages) {
    const address = slug === '' ? '/' : `/${slug}/`;
    addresses.set(source, address);
    if (basename(source) === 'README.md') addresses.set(dirname(source), address);
  }
  // The first page of the repository is the first page of the site, too.
  addresses.set('README.md', '/');
  addresses.set('docs/security', '/security/');
  addresses.set('docs/guides', '/guides/repair-output/');
  return addresses;
}

function readRepositoryFile(path: string): string {
  return readFileSync(join(repositoryRoot, path), 'utf8');
}

function kindOf(path: string): 'file' | 'folder' | undefined {
  const found = statSync(join(repositoryRoot, path), { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  return found.isDirectory() ? 'folder' : 'file';
}
