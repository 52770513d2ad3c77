import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One file of the page. */
export interface PageFile {
  /** Its path on this machine. */
  readonly path: string;
  readonly type: string;
}

/** All served files. Requests for anything else fail. */
export interface PageFiles {
  /** The document, before its modules are inserted. */
  readonly document: string;
  /** Files by the exact path of a request. */
  readonly files: ReadonlyMap<string, PageFile>;
  /** The module that the document starts. */
  readonly main: string;
  /** The files that the browser loads for package names. */
  readonly imports: Readonly<Record<string, string>>;
}

/** `.js` after a build; `.ts` when this program and the page run from source. */
const modules = extname(fileURLToPath(import.meta.url));
const isBuilt = modules === '.js';

/** Lists the page's files and the modules of `@haft/repair`. */
export function listPageFiles(): PageFiles {
  const page = fileURLToPath(new URL('../../pages/repair/', import.meta.url));
  const repair = packageFile('@haft/repair', import.meta.url);
  const files = new Map<string, PageFile>([
    ['/style.css', { path: join(page, 'style.css'), type: 'text/css; charset=utf-8' }],
    ['/icon.svg', { path: join(page, 'icon.svg'), type: 'image/svg+xml' }],
  ]);
  const addModules = (address: string, folder: string, extension: string): void => {
    for (const path of moduleFiles(folder, extension)) {
      files.set(`${address}/${path}`, { path: join(folder, path), type: 'text/javascript; charset=utf-8' });
    }
  };
  addModules('/page', fileURLToPath(new URL('./browser/', import.meta.url)), modules);
  addModules('/modules/repair', join(repair, '..', isBuilt ? 'dist' : 'src'), modules);
  return {
    document: join(page, 'index.html'),
    files,
    main: `/page/main${modules}`,
    imports: { '@haft/repair': `/modules/repair/index${modules}` },
  };
}

/**
 * Returns the document with its modules, and the import map alone, for the content policy. Module URLs begin with a
 * hash of the files, so that a browser can cache them.
 */
export function readDocument(page: PageFiles): { readonly html: string; readonly importMap: string } {
  const edition = editionOf(page);
  const imports = Object.fromEntries(Object.entries(page.imports).map(([name, path]) => [name, `${edition}${path}`]));
  const importMap = JSON.stringify({ imports });
  const scripts = [
    `<script type="importmap">${importMap}</script>`,
    `<script type="module" src="${edition}${page.main}"></script>`,
  ].join('\n    ');
  return { html: readFileSync(page.document, 'utf8').replace('<!-- modules -->', () => scripts), importMap };
}

/** Removes the hash from a URL. */
export function withoutEdition(address: string): { readonly path: string; readonly mayBeKept: boolean } {
  const path = address.replace(/^\/edition-[0-9a-f]{16}(?=\/)/, '');
  return { path, mayBeKept: path !== address };
}

function editionOf({ files }: PageFiles): string {
  const hash = createHash('sha256');
  for (const { path } of files.values()) {
    const { mtimeMs, size } = statSync(path);
    hash.update(`${mtimeMs} ${size} ${path}\n`);
  }
  return `/edition-${hash.digest('hex').slice(0, 16)}`;
}

/** Modules in a folder and below, with `/` between names, without declarations and tests. */
function moduleFiles(folder: string, extension: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) {
      if (entry.name === 'fixtures') return [];
      return moduleFiles(join(folder, entry.name), extension).map((path) => `${entry.name}/${path}`);
    }
    const isModule =
      entry.isFile() && extname(entry.name) === extension && !/\.(?:test|test-d|d)\.ts$/.test(entry.name);
    return isModule ? [entry.name] : [];
  });
}

function packageFile(name: string, from: string): string {
  const path = findPackageJSON(name, from);
  if (path === undefined) throw new Error(`${name} is not installed`);
  return path;
}
