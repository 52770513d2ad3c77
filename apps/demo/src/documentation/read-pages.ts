import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A page of the documentation. */
export interface Page {
  /** The name of the page, such as `guides/mcp` or `packages/core`. */
  readonly name: string;
  /** The first heading. */
  readonly title: string;
  readonly text: string;
}

/** A folder that contains pages. */
export interface PageFolder {
  /** The folder of a package: its README.md and `dist/docs`. */
  readonly folder: string;
  /** The page name of its README. Without a name, the README is not a page. */
  readonly readme?: string;
}

/** Reads the pages of packages: those of this program, and those of the packages that it depends on. */
export function readPages(folders: readonly PageFolder[] = pageFolders()): readonly Page[] {
  const pages = new Map<string, Page>();
  const add = (name: string, file: string): void => {
    if (pages.has(name)) return;
    const text = readFileSync(file, 'utf8').replace(/^---\n[^]*?\n---\n/, '');
    pages.set(name, { name, title: /^# (.+)$/m.exec(text)?.[1]?.trim() ?? name, text });
  };
  for (const { folder, readme } of folders) {
    const docs = join(folder, 'dist', 'docs');
    if (existsSync(docs)) {
      for (const path of readdirSync(docs, { recursive: true, encoding: 'utf8' })) {
        if (path.endsWith('.md')) add(path.replaceAll('\\', '/').slice(0, -'.md'.length), join(docs, path));
      }
    }
    if (readme !== undefined && existsSync(join(folder, 'README.md'))) add(readme, join(folder, 'README.md'));
  }
  return [...pages.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** The folders of this program and of the packages of Haft that it depends on. Each ships its own pages. */
function pageFolders(): readonly PageFolder[] {
  const own = fileURLToPath(new URL('../../', import.meta.url));
  const { dependencies } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const { resolve } = createRequire(import.meta.url);
  const packages = Object.keys(dependencies)
    .filter((name) => name.startsWith('@haft/'))
    .map((name) => ({ folder: dirname(resolve(`${name}/package.json`)), readme: name.replace('@haft/', 'packages/') }));
  return [{ folder: own, readme: 'packages/haft' }, ...packages];
}
