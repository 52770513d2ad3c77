import { linkSync, lstatSync, renameSync, unlinkSync } from 'node:fs';
import { errnoOf } from '../sandbox-failure.ts';

const withoutLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EISDIR']);

/** Renames only where the new name is free, else throws `EEXIST`. Regular files: in one step, where the file system has links. */
export function renameExclusively(from: string, to: string): void {
  if (lstatSync(from).isFile()) {
    try {
      linkSync(from, to);
      return unlinkSync(from);
    } catch (error) {
      if (!withoutLinks.has(errnoOf(error))) throw error;
    }
  }
  if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) {
    throw Object.assign(new Error('The new name is taken'), { code: 'EEXIST' });
  }
  renameSync(from, to);
}
