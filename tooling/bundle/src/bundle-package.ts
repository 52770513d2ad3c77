import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { rolldown } from 'rolldown';

interface Manifest {
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

/**
 * Writes the JavaScript of a package into its `dist`: a file for each entry of the export map, and what entries share in
 * `dist/parts`. Other packages stay imports by name. A file whose text is the same is left alone and the others appear
 * whole, so that a program that runs from `dist` meanwhile never meets half a build; JavaScript of an earlier build that
 * no entry needs any more is removed.
 *
 * @param folder - Absolute path of the package.
 * @throws `Error` when a module can't be found or read, or the bundler has anything to warn of.
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
  const bundle = await rolldown({
    input: entriesOf(manifest),
    cwd: folder,
    external: (id) => /^[^./]/.test(id) && !/^[a-z]:[\\/]/i.test(id),
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
    return new Map(output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : String(file.source)]));
  } finally {
    await bundle.close();
  }
}

function entriesOf({ exports }: Manifest): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.values(exports).flatMap((target) => {
      const source = typeof target === 'string' ? undefined : target['@haft/source'];
      const name = /^\.\/src\/(.+)\.ts$/.exec(source ?? '')?.[1];
      return source === undefined || name === undefined ? [] : [[name, source]];
    }),
  );
}

async function writeWhole(path: string, text: string): Promise<void> {
  const before = await readFile(path, 'utf8').catch(() => undefined);
  if (before === text) return;
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(temporary, text);
  await rename(temporary, path);
}
