import { lstatSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Walk } from './walk.ts';
import { makeDirectory } from './make-directory.ts';
import { failureFromError } from '../../sandbox-failure.ts';

/**
 * Walks down `names` by path, for systems that cannot open relative to a directory. `isConfined` checks the components
 * again: it detects a swap between two checks, unless it was undone in between.
 */
export function walkByPath(base: string, names: readonly string[], create: boolean): Walk {
  let walked = base;
  try {
    for (const name of names) {
      walked = join(walked, name);
      if (create) makeDirectory(walked);
      if (lstatSync(walked).isSymbolicLink()) return 'swapped';
    }
    const seen = lstatSync(walked, { bigint: true });
    if (!seen.isDirectory()) throw Object.assign(new Error('Not a directory'), { code: 'ENOTDIR' });
    const isConfined = (): boolean => {
      const now = lstatSync(walked, { bigint: true, throwIfNoEntry: false });
      return now?.dev === seen.dev && now.ino === seen.ino && isReal(walked);
    };
    if (!isConfined()) return 'swapped';
    return {
      ok: true,
      path: walked,
      at: (name: string) => join(walked, name),
      enter: (name: string) => (isConfined() ? walkByPath(walked, [name], false) : 'swapped'),
      isConfined,
      isInPlace: isConfined,
      close: () => {},
    };
  } catch (error) {
    return failureFromError(error, create ? 'WRITE_ERROR' : 'READ_ERROR', walked);
  }
}

function isReal(path: string): boolean {
  try {
    return realpathSync.native(path) === path;
  } catch {
    return false;
  }
}
