import { existsSync, mkdirSync, renameSync, rmdirSync, statSync } from 'node:fs';

/** What SQLite keeps beside a file, by the ends of their names. */
const companions = ['-wal', '-shm', '-journal'];

/** A program that ended in the middle left its mark; setting aside takes a few milliseconds. */
const staleMarkMs = 10_000;

/**
 * Renames a damaged file to `NAME.corrupt-1` (or the next free number) with what belongs to it, so that nothing of it is
 * lost and SQLite would still find its parts, and makes a new one. Returns the new name; `undefined` when another program
 * does so or did so, and the file has to be looked at again.
 */
export function setAside(path: string, inode: bigint, makeNew: () => void): string | undefined {
  const mark = `${path}.setting-aside`;
  if (!takeMark(mark)) return undefined;
  try {
    if (statSync(path, { bigint: true, throwIfNoEntry: false })?.ino !== inode) return undefined;
    const target = freeName(path);
    // Companions go first: a log left behind without its file would be thrown away by whoever makes the next one.
    for (const end of companions) {
      if (existsSync(path + end)) renameSync(path + end, target + end);
    }
    renameSync(path, target);
    makeNew();
    return target;
  } finally {
    rmdirSync(mark);
  }
}

/** Of several programs that find the damage at the same time, one may rename; the others would rename its new file. */
function takeMark(mark: string): boolean {
  try {
    mkdirSync(mark);
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    const status = statSync(mark, { throwIfNoEntry: false });
    if (status !== undefined && Date.now() - status.mtimeMs > staleMarkMs) rmdirSync(mark);
    return false;
  }
}

function freeName(path: string): string {
  for (let number = 1; ; number += 1) {
    const name = `${path}.corrupt-${number}`;
    if (['', ...companions].every((end) => !existsSync(name + end))) return name;
  }
}
