import { linkSync, lstatSync, renameSync, unlinkSync } from 'node:fs';
import { errnoOf } from '../sandbox-failure.ts';

const noHardLinkErrors: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EISDIR']);

/**
 * Renames an entry if the new name is free, otherwise throws `EEXIST`. Atomic for regular files on file systems with
 * hard links.
 */
export function renameExclusively(from: string, to: string): void {
  if (lstatSync(from).isFile()) {
    try {
      linkSync(from, to);
      return unlinkSync(from);
    } catch (error) {
      if (!noHardLinkErrors.has(errnoOf(error))) throw error;
    }
  }
  if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) {
    throw Object.assign(new Error('The new name already exists'), { code: 'EEXIST' });
  }
  renameSync(from, to);
}
