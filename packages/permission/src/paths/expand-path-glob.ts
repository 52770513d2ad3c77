import { join } from 'node:path';
import { compileGlob } from '@haft/sandbox';
import { listFolder, type ScanBudget } from './list-folder.ts';

/**
 * Returns the existing paths that a shell substitutes for a glob. Names with a leading dot match only if the pattern
 * has the dot. Returns undefined if the search exceeds the scan budget.
 */
export async function expandGlob(
  folder: string,
  pattern: string,
  room: ScanBudget,
): Promise<readonly string[] | undefined> {
  let found: readonly string[] = [pattern.startsWith('/') ? '/' : folder];
  for (const name of pattern.split('/')) {
    if (name === '' || name === '.') continue;
    if (!/[*?[]/.test(name)) {
      const plain = name.replaceAll(/\\(.)/g, '$1');
      found = found.map((path) => join(path, plain));
      continue;
    }
    const glob = compileGlob(name, { braces: false });
    // A word that is not a valid pattern matches only itself.
    if (!glob.ok) return found.map((path) => join(path, name));
    const next: string[] = [];
    for (const path of found) {
      const entries = await listFolder(path, room);
      if (!entries) return undefined;
      for (const entry of entries)
        if ((!entry.name.startsWith('.') || name.startsWith('.')) && glob.matches(entry.name))
          next.push(join(path, entry.name));
    }
    found = next;
  }
  return found;
}
