import { existsSync, renameSync, statSync } from 'node:fs';

/** What SQLite keeps beside a file, by the ends of their names. */
const companions = ['-wal', '-shm', '-journal'];

/**
 * Renames a damaged file to `NAME.corrupt-1` (or the next free number), with what belongs to it, so that nothing of it
 * is lost and SQLite would still find its parts. Returns the new path; `undefined` when another file has taken its place.
 */
export function setAside(path: string, inode: bigint): string | undefined {
  // Companions go first: a log left behind without its file would be thrown away by whoever makes the next one.
  const target = freeName(path);
  if (statSync(path, { bigint: true, throwIfNoEntry: false })?.ino !== inode) return undefined;
  for (const end of companions) {
    if (existsSync(path + end)) renameSync(path + end, target + end);
  }
  renameSync(path, target);
  return target;
}

function freeName(path: string): string {
  for (let number = 1; ; number += 1) {
    const name = `${path}.corrupt-${number}`;
    if (['', ...companions].every((end) => !existsSync(name + end))) return name;
  }
}
