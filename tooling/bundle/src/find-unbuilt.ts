import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the exported files of a package that have not been built, as paths in its folder. A package packed without
 * them could not be imported.
 */
export function findUnbuilt(folder: string): readonly string[] {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly exports?: unknown };
  return targetsOf(exports).filter((path) => path.startsWith('./dist/') && !existsSync(join(folder, path)));
}

function targetsOf(exports: unknown): readonly string[] {
  if (typeof exports === 'string') return [exports];
  if (typeof exports !== 'object' || exports === null) return [];
  return [...new Set(Object.values(exports).flatMap(targetsOf))];
}
