import { lstatSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { ConfinedDirectory, Walk } from './walk.ts';
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
    const directory = createPathDirectory(walked, seen.dev, seen.ino);
    return directory.isConfined() ? directory : 'swapped';
  } catch (error) {
    return failureFromError(error, create ? 'WRITE_ERROR' : 'READ_ERROR', walked);
  }
}

/** Returns an open directory for a path, identified by its device and inode numbers. */
export function createPathDirectory(path: string, device: bigint, inode: bigint): ConfinedDirectory {
  const isConfined = (): boolean => {
    const now = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return now?.dev === device && now.ino === inode && isReal(path);
  };
  return {
    ok: true,
    path,
    at: (name: string) => join(path, name),
    enter: (name: string) => (isConfined() ? walkByPath(path, [name], false) : 'swapped'),
    isConfined,
    isInPlace: isConfined,
    share: () => ({ reference: { path, device, inode }, close: () => {} }),
    close: () => {},
  };
}

function isReal(path: string): boolean {
  try {
    return realpathSync.native(path) === path;
  } catch {
    return false;
  }
}
