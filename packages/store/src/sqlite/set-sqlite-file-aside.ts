import { existsSync, mkdirSync, renameSync, rmdirSync, statSync } from 'node:fs';

/** Suffixes of the files that SQLite stores next to a database. */
const companionSuffixes = ['-wal', '-shm', '-journal'];

/** Age after which a lock directory was left by a program that died. Setting aside takes a few milliseconds. */
const staleLockMs = 10_000;

/**
 * Renames a damaged file and its companion files to `NAME.corrupt-1` (or the next free number), so that no data is
 * lost, and creates a new file. Returns the new name. Returns `undefined` if another program does the same; check the
 * file again in this case.
 */
export function setAside(path: string, inode: bigint, createNew: () => void): string | undefined {
  const lock = `${path}.setting-aside`;
  if (!acquireLock(lock)) return undefined;
  try {
    if (statSync(path, { bigint: true, throwIfNoEntry: false })?.ino !== inode) return undefined;
    const target = findFreeName(path);
    // Companion files first: without its database, a log would be deleted by the program that creates the next one.
    for (const end of companionSuffixes) {
      if (existsSync(path + end)) renameSync(path + end, target + end);
    }
    renameSync(path, target);
    createNew();
    return target;
  } finally {
    rmdirSync(lock);
  }
}

/**
 * Acquires the lock directory. If several programs find the damage, only one may rename; another would rename the new
 * file.
 */
function acquireLock(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    const status = statSync(lock, { throwIfNoEntry: false });
    if (status !== undefined && Date.now() - status.mtimeMs > staleLockMs) rmdirSync(lock);
    return false;
  }
}

function findFreeName(path: string): string {
  for (let number = 1; ; number += 1) {
    const name = `${path}.corrupt-${number}`;
    if (['', ...companionSuffixes].every((end) => !existsSync(name + end))) return name;
  }
}
