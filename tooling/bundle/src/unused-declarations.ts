import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, posix, relative, resolve } from 'node:path';

/** A relative import, export or import type of a declaration file. */
const reference = /(?:from\s+|import\s*\(\s*|import\s+)['"](\.[^'"]+)['"]/g;

/**
 * Lists the declaration files in `dist` that no entry needs, directly or through others, as paths in `dist`. The
 * compiler writes one for every source file.
 *
 * @param entries - Paths of the entries' declaration files in `dist`.
 */
export async function listUnusedDeclarations(dist: string, entries: readonly string[]): Promise<readonly string[]> {
  const used = new Set<string>();
  const waiting = entries.map((path) => resolve(dist, path));
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (used.has(path)) continue;
    used.add(path);
    const text = await readFile(path, 'utf8').catch(() => '');
    for (const [, specifier = ''] of text.matchAll(reference))
      waiting.push(resolve(dirname(path), specifier.replace(/\.[jt]s$/, '.d.ts')));
  }
  return (await readdir(dist, { recursive: true }))
    .filter((path) => path.endsWith('.d.ts') && !used.has(join(dist, path)))
    .map((path) => relative(dist, join(dist, path)).split(/[\\/]/).join(posix.sep))
    .toSorted((one, other) => (one < other ? -1 : 1));
}
