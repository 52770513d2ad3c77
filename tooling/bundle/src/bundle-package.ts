import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { rolldown, type Plugin } from 'rolldown';
import { findPrograms } from './find-programs.ts';
import { leaveLibraries, listLicenses, type LibraryManifest } from './libraries.ts';
import { loadBuiltinsDirectly } from './node-builtins.ts';
import { writeOnDemandEntry } from './on-demand-entry.ts';
import { placeModuleUrls, withModuleUrls } from './module-urls.ts';
import { listUnusedDeclarations } from './unused-declarations.ts';

interface Manifest extends LibraryManifest {
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

/**
 * Writes the JavaScript of a package into its `dist`: a file for each entry of the export map, and the code that
 * entries share in `dist/parts`. An entry for the condition `module-sync` alone, and a file that runs as a process or a thread,
 * is one file that shares no code. Libraries in `inlinedDependencies` become part of the files, and `third-party-licenses.txt` holds their licences; other packages remain imports. Unchanged files are not touched and changed ones are replaced atomically, so that a program
 * that runs from `dist` never sees half a build. Nothing is done if the files are those of the same sources. JavaScript of an earlier build that no entry needs is removed.
 *
 * @param folder - Absolute path of the package.
 * @throws `Error` if a module can't be found or read, or if the bundler warns.
 */
export async function bundlePackage(folder: string): Promise<void> {
  const dist = join(folder, 'dist');
  const recordPath = join(dist, builtFiles);
  const [builtFrom = '', ...earlier] = (await readFile(recordPath, 'utf8').catch(() => '')).trimEnd().split('\n');
  const sources = await hashSources(folder);
  if (builtFrom === sources && earlier.every((path) => existsSync(join(dist, path)))) return;
  const texts = await bundleEntries(folder);
  for (const [path, text] of texts) await writeWhole(join(dist, path), text);
  // Other files, such as those of a page, belong to another program.
  for (const path of earlier) if (!texts.has(path)) await rm(join(dist, path), { force: true });
  // The compiler needs these files for its next build, so they are kept, and left out of the tarball.
  const { entries } = entriesOf(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest);
  const declarations = Object.keys(entries).map((name) => `${name}.d.ts`);
  const unused = await listUnusedDeclarations(dist, declarations);
  await writeWhole(join(dist, '.npmignore'), `${['*.map', '*.tsbuildinfo', builtFiles, ...unused].join('\n')}\n`);
  // Written last: a build that fails is not up to date.
  await writeWhole(recordPath, [sources, ...texts.keys(), ''].join('\n'));
}

/** The file with the hash of the sources of the last build, and a list of what it wrote. */
const builtFiles = '.built';

const bundler = fileURLToPath(new URL('.', import.meta.url));
const lockfile = join(bundler, '..', '..', '..', 'pnpm-lock.yaml');

/** Returns a hash of what the files in `dist` depend on: the sources of the package, the bundler, and the versions of libraries. */
async function hashSources(folder: string): Promise<string> {
  const paths = [join(folder, 'package.json'), lockfile];
  for (const part of [join(folder, 'src'), bundler])
    for (const entry of await readdir(part, { recursive: true, withFileTypes: true }))
      if (entry.isFile() && !entry.name.endsWith('.test.ts')) paths.push(join(entry.parentPath, entry.name));
  const hash = createHash('sha256');
  for (const path of paths.toSorted()) hash.update(`${path}\n`).update(await readFile(path));
  return hash.digest('hex');
}

async function bundleEntries(folder: string): Promise<ReadonlyMap<string, string>> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
  const { entries, variants } = entriesOf(manifest);
  // A variant without a source file loads its entry on demand. It shares the code of its immediate exports with the
  // entry.
  const isWritten = ([name]: readonly [string, string]): boolean => existsSync(join(folder, 'src', `${name}.ts`));
  const onDemand = Object.fromEntries(Object.entries(variants).filter((variant) => !isWritten(variant)));
  const written = Object.entries(variants).filter(isWritten);
  const programs = Object.entries(await findPrograms(folder)).filter(([name]) => !Object.hasOwn(entries, name));
  const alone = [...written.map(([name]) => [name, `./src/${name}.ts`] as const), ...programs];
  const input = { ...entries, ...mapValues(onDemand, (entry) => `${onDemandPrefix}${entry}`) };
  const modules = new Set<string>();
  const bundle = (some: Entries): Promise<ReadonlyMap<string, string>> =>
    bundleTogether(folder, some, entries, { isExternal: leaveLibraries(manifest), modules });
  const texts = new Map(await bundle(input));
  // Code that is needed at once is in one file, even if code that is loaded later also uses it.
  for (const [name, source] of alone) {
    for (const [path, text] of await bundle({ [name]: source })) texts.set(path, text);
  }
  const licenses = listLicenses(modules, folder);
  if (licenses !== '') texts.set('third-party-licenses.txt', licenses);
  return texts;
}

interface Libraries {
  readonly isExternal: (id: string, importer: string | undefined) => boolean;
  /** Receives the paths of all modules whose code is used. */
  readonly modules: Set<string>;
}

async function bundleTogether(
  folder: string,
  input: Entries,
  entries: Entries,
  { isExternal, modules }: Libraries,
): Promise<ReadonlyMap<string, string>> {
  /** Modules that entries import before they run. Those that several entries share are in one file. */
  const neededAtOnce = new Set<string>();
  /** Modules that the variants import before they run. (Variants load their entries on demand.) */
  const neededByVariants = new Set<string>();
  const bundle = await rolldown({
    input,
    cwd: folder,
    external: (id, importer) => isExternal(id, importer),
    plugins: [
      loadBuiltinsDirectly(),
      leaveEntries(folder, entries),
      withModuleUrls(folder),
      writeVariants(folder, entries),
      noteStaticImports(neededAtOnce, () => true),
      noteStaticImports(neededByVariants, (id) => id.startsWith(onDemandId)),
    ],
    // Ignores the warning about a slow build, because a slow machine is not a defect of the package.
    checks: { bundlerTimings: false },
    onLog(level, log) {
      if (level === 'warn') throw new Error(`${folder}: ${log.message}`);
    },
  });
  try {
    const [only, ...more] = Object.keys(input);
    const { output } = await bundle.generate({
      format: 'esm',
      entryFileNames: '[name].js',
      // Code that one program loads later is in separate files, because another build may have a part of the same name.
      chunkFileNames:
        more.length > 0 || entries[only ?? ''] !== undefined ? 'parts/[name].js' : `parts/${only}/[name].js`,
      codeSplitting: {
        groups: [
          { name: 'at-once', minShareCount: 2, priority: 2, test: (id) => neededByVariants.has(id) },
          { name: 'shared', minShareCount: 2, priority: 1, test: (id) => neededAtOnce.has(id) },
        ],
      },
      comments: { legal: true, annotation: true, jsdoc: false },
    });
    for (const file of output) if (file.type === 'chunk') for (const id of file.moduleIds) modules.add(id);
    // The text of an error that rolldown writes for a `require` that stays in a module, where it fails when the code runs.
    const requiring = output.find((file) => file.type === 'chunk' && file.code.includes('Error("Calling `require`'));
    if (requiring) throw new Error(`${folder}: ${requiring.fileName} needs require, which modules lack`);
    return new Map(
      output.map((file) => [
        file.fileName,
        file.type === 'chunk' ? inAscii(placeModuleUrls(file.code, file.fileName)) : String(file.source),
      ]),
    );
  } finally {
    await bundle.close();
  }
}

const onDemandPrefix = 'haft-on-demand:';
const onDemandId = `\0${onDemandPrefix}`;

/** Provides the code of the variants that load their entries on demand. */
function writeVariants(folder: string, entries: Entries): Plugin {
  return {
    name: 'write-variants',
    resolveId(specifier, importer) {
      if (specifier.startsWith(onDemandPrefix)) return `\0${specifier}`;
      if (importer?.startsWith(onDemandId) !== true) return undefined;
      const name = importer.slice(onDemandId.length);
      if (specifier === 'haft:entry') return { id: `./${name}.js`, external: true };
      return specifier.startsWith(folder) ? specifier : undefined;
    },
    async load(id) {
      if (!id.startsWith(onDemandId)) return undefined;
      const name = id.slice(onDemandId.length);
      return { code: await writeOnDemandEntry(resolve(folder, entries[name] ?? ''), `./${name}.js`) };
    },
  };
}

/** Collects the ids of all modules that the chosen entries import statically, directly or through others. */
function noteStaticImports(ids: Set<string>, isChosen: (entry: string) => boolean): Plugin {
  return {
    name: 'note-static-imports',
    buildEnd() {
      const waiting = [...this.getModuleIds()].filter((id) => this.getModuleInfo(id)?.isEntry === true && isChosen(id));
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
        if (ids.has(id)) continue;
        ids.add(id);
        waiting.push(...(this.getModuleInfo(id)?.importedIds ?? []));
      }
    },
  };
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

/** The entries of the export map, and the names of the entries whose variants Node loads instead, keyed by variant. */
function entriesOf({ exports }: Manifest): { readonly entries: Entries; readonly variants: Entries } {
  const entries: Record<string, string> = {};
  const variants: Record<string, string> = {};
  for (const target of Object.values(exports)) {
    if (typeof target === 'string') continue;
    const name = /^\.\/src\/(.+)\.ts$/.exec(target['@haft/source'] ?? '')?.[1];
    const variant = /^\.\/dist\/(.+)\.js$/.exec(target['module-sync'] ?? '')?.[1];
    if (name === undefined) continue;
    entries[name] = `./src/${name}.ts`;
    if (variant !== undefined) variants[variant] = name;
  }
  return { entries, variants };
}

function mapValues(record: Entries, change: (value: string) => string): Entries {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

async function writeWhole(path: string, text: string): Promise<void> {
  const before = await readFile(path, 'utf8').catch(() => undefined);
  if (before === text) return;
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(temporary, text);
  await rename(temporary, path);
}
