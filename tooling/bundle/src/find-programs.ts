import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/** A path to a built file of the package, as a literal. */
const builtPath = /'(\.{1,2}\/[^'\n]+)\.js'/g;

/**
 * Finds the source files of a package that run as a process or a thread, or are required when needed: those whose built
 * file is named by a literal path, such as `'./child/script-program.js'`, in a module that uses `import.meta.url`.
 *
 * @returns their paths, keyed by the path of the built file without its ending.
 */
export async function findPrograms(folder: string): Promise<Readonly<Record<string, string>>> {
  const sources = join(folder, 'src');
  const found: Record<string, string> = {};
  for (const path of await readdir(sources, { recursive: true })) {
    if (!path.endsWith('.ts') || /\.test(?:-d)?\.ts$|(?:^|[\\/])fixtures[\\/]/.test(path)) continue;
    const text = await readFile(join(sources, path), 'utf8');
    if (!text.includes('import.meta.url')) continue;
    for (const [, stem = ''] of text.matchAll(builtPath)) {
      const name = relative(sources, join(dirname(join(sources, path)), stem)).replaceAll('\\', '/');
      if (existsSync(join(sources, `${name}.ts`))) found[name] = `./src/${name}.ts`;
    }
  }
  return found;
}
