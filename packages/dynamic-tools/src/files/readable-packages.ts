import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const own: string = fileURLToPath(import.meta.url);

/**
 * Returns the folders of the packages that a plugin may import from its host: every `node_modules` above the given
 * files, and the link targets of Haft's own packages. The paths are real, and none is inside another.
 *
 * @param bases files of the program.
 */
export function findReadablePackages(bases: readonly string[]): readonly string[] {
  const key = bases.join('\0');
  const known = looks.get(key);
  if (known && performance.now() - known.at < lookLastsMs) return known.found;
  const found = lookForPackages(bases);
  looks.set(key, { at: performance.now(), found });
  return found;
}

/** Cached for a moment, so that plugins that load together share one search. */
const lookLastsMs = 1_000;
const looks = new Map<string, { readonly at: number; readonly found: readonly string[] }>();

function lookForPackages(bases: readonly string[]): readonly string[] {
  const found = new Set<string>();
  const waiting = [packageFolder(own), ...bases.map((base) => dirname(base))];
  const visited = new Set<string>();
  found.add(packageFolder(own));
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (visited.has(folder)) continue;
    visited.add(folder);
    for (const modules of modulesAbove(folder)) {
      found.add(modules);
      for (const linked of linkedPackages(join(modules, '@haft'))) {
        found.add(linked);
        waiting.push(linked);
      }
    }
  }
  return outermost([...found]);
}

/** Removes paths that are inside another path of the list. */
export function outermost(folders: readonly string[]): readonly string[] {
  const sorted = [...new Set(folders)].sort();
  return sorted.filter((folder) => !sorted.some((other) => other !== folder && folder.startsWith(`${other}${sep}`)));
}

/** The folder of this package, whether it runs from source or from its build. */
function packageFolder(file: string): string {
  let folder = dirname(file);
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return realpathSync(folder);
}

function modulesAbove(folder: string): readonly string[] {
  const found: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    const modules = join(at, 'node_modules');
    if (existsSync(modules)) found.push(realpathSync(modules));
    if (dirname(at) === at) return found;
  }
}

function linkedPackages(scope: string): readonly string[] {
  try {
    return readdirSync(scope).map((name) => realpathSync(join(scope, name)));
  } catch {
    return [];
  }
}
