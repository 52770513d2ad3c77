import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

import { rolldown, type Plugin } from 'rolldown';

interface Manifest {
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

/**
 * Writes the JavaScript of a package into its `dist`: a file for each entry of the export map, and the code that
 * entries share in `dist/parts`. An entry for the condition `node` alone is one file that shares no code. Other
 * packages remain imports. Unchanged files are not touched and changed ones are replaced atomically, so that a program
 * that runs from `dist` never sees half a build. JavaScript of an earlier build that no entry needs is removed.
 *
 * @param folder - Absolute path of the package.
 * @throws `Error` if a module can't be found or read, or if the bundler warns.
 */
export async function bundlePackage(folder: string): Promise<void> {
  const dist = join(folder, 'dist');
  const texts = await bundleEntries(folder);
  for (const [path, text] of texts) await writeWhole(join(dist, path), text);
  for (const path of await readdir(dist, { recursive: true })) {
    if (/\.js(?:\.map)?$/.test(path) && !texts.has(path.replaceAll('\\', '/'))) await rm(join(dist, path));
  }
}

async function bundleEntries(folder: string): Promise<ReadonlyMap<string, string>> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
  const { together, alone } = entriesOf(manifest);
  const texts = new Map(await bundleTogether(folder, together, together));
  // Code that is needed at once is in one file, even if code that is loaded later shares it.
  for (const [name, source] of Object.entries(alone)) {
    for (const [path, text] of await bundleTogether(folder, { [name]: source }, together)) texts.set(path, text);
  }
  return texts;
}

async function bundleTogether(folder: string, input: Entries, entries: Entries): Promise<ReadonlyMap<string, string>> {
  const bundle = await rolldown({
    input,
    cwd: folder,
    external: (id) => /^[^./]/.test(id) && !/^[a-z]:[\\/]/i.test(id),
    plugins: [leaveEntries(folder, entries)],
    onLog(level, log) {
      if (level === 'warn') throw new Error(`${folder}: ${log.message}`);
    },
  });
  try {
    const { output } = await bundle.generate({
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'parts/[name].js',
      sourcemap: true,
      sourcemapExcludeSources: true,
    });
    return new Map(
      output.map((file) => [file.fileName, file.type === 'chunk' ? inAscii(file.code) : String(file.source)]),
    );
  } finally {
    await bundle.close();
  }
}

/** Keeps an import of another entry of the package as an import of its built file. */
function leaveEntries(folder: string, entries: Entries): Plugin {
  const built = new Map(Object.entries(entries).map(([name, source]) => [resolve(folder, source), `./${name}.js`]));
  return {
    name: 'leave-entries',
    resolveId(specifier, importer) {
      if (importer === undefined || !specifier.startsWith('.')) return undefined;
      const id = built.get(resolve(dirname(importer), specifier));
      return id === undefined ? undefined : { id, external: true };
    },
    generateBundle(_, files) {
      for (const file of Object.values(files)) {
        const isBelow = file.type === 'chunk' && file.fileName.includes('/');
        if (!isBelow || ![...built.values()].some((path) => file.imports.includes(path))) continue;
        throw new Error(`${folder}: ${file.fileName} is shared by entries and imports one of them`);
      }
    },
  };
}

/** V8 reads and compiles Latin-1 text much faster. Escapes in literals mean the same. */
function inAscii(code: string): string {
  return code.replace(/[^\0-\x7f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Source files, keyed by the path of their built file. */
type Entries = Readonly<Record<string, string>>;

/** The entries of the export map, and the variants that Node loads instead. */
function entriesOf({ exports }: Manifest): { readonly together: Entries; readonly alone: Entries } {
  const targets = Object.values(exports).filter((target) => typeof target === 'object');
  const nameOf = (path: string | undefined, shape: RegExp): string | undefined => shape.exec(path ?? '')?.[1];
  const named = (names: readonly (string | undefined)[]): Entries =>
    Object.fromEntries(names.flatMap((name) => (name === undefined ? [] : [[name, `./src/${name}.ts`]])));
  return {
    together: named(targets.map((target) => nameOf(target['@haft/source'], /^\.\/src\/(.+)\.ts$/))),
    alone: named(targets.map((target) => nameOf(target['node'], /^\.\/dist\/(.+)\.js$/))),
  };
}

async function writeWhole(path: string, text: string): Promise<void> {
  const before = await readFile(path, 'utf8').catch(() => undefined);
  if (before === text) return;
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(temporary, text);
  await rename(temporary, path);
}
