import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the exported files of a package that have not been built, and those of the other `needed` files that are
 * missing, as paths in its folder. A package packed without them would not work.
 */
export function findUnbuilt(folder: string, needed: readonly string[] = []): readonly string[] {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly exports?: unknown };
  const built = targetsOf(exports).filter((path) => path.startsWith('./dist/'));
  return [...built, ...needed].filter((path) => !existsSync(join(folder, path)));
}

function targetsOf(exports: unknown): readonly string[] {
  if (typeof exports === 'string') return [exports];
  if (typeof exports !== 'object' || exports === null) return [];
  return [...new Set(Object.values(exports).flatMap(targetsOf))];
}
