import { chmodSync, closeSync, constants, fchmodSync, fstatSync, openSync } from 'node:fs';
import type { Roots } from '../paths/confine.ts';
import type { ChangedEntry } from './confined-change.ts';
import { openEntry, type ProtectionOptions } from './confined-directory.ts';
import { movedOut } from './entry-status.ts';
import { protectDefaultPaths } from '../protection/path-protection.ts';
import { createFailure, failureFromError, type SandboxFailure } from '../sandbox-failure.ts';

// O_PATH opens unreadable files, so that a file of mode 000 can get its permissions back.
const flags =
  (process.platform === 'linux' ? 0o10000000 : constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)) |
  (constants.O_NOFOLLOW ?? 0);

/**
 * Sets the permission bits (`0o000` to `0o777`) of a file or directory inside the roots. Links are refused. Codes:
 * those of `confine`, and `NOT_FOUND`, `PROTECTED_PATH`, `SYMLINK_REFUSED`, `NOT_REGULAR_FILE`, `ACCESS_DENIED`,
 * `WRITE_ERROR`.
 *
 * @example
 * import { setConfinedMode } from '@haft/sandbox';
 * const changed = await setConfinedMode([process.cwd()], '/outside/notes.txt', 0o600);
 * 'code' in changed && changed.code; // => 'OUTSIDE_ROOTS'
 */
export async function setConfinedMode(
  roots: Roots,
  path: string,
  mode: number,
  { protection = protectDefaultPaths }: ProtectionOptions = {},
): Promise<ChangedEntry | SandboxFailure> {
  const entry = openEntry(roots, path, { followLast: false, protection });
  if (!entry.ok) return entry;
  let descriptor = -1;
  try {
    descriptor = openSync(entry.directory.at(entry.name), flags);
    const stats = fstatSync(descriptor);
    const shown = JSON.stringify(path);
    if (stats.isSymbolicLink()) return createFailure('SYMLINK_REFUSED', `${shown} is a symbolic link`);
    if (!stats.isFile() && !stats.isDirectory())
      return createFailure('NOT_REGULAR_FILE', `${shown} is a pipe, socket or device`);
    if (!entry.directory.isConfined()) return movedOut(path);
    if (process.platform === 'linux') chmodSync(`/proc/self/fd/${descriptor}`, mode & 0o777);
    else fchmodSync(descriptor, mode & 0o777);
    return { ok: true, path: entry.path };
  } catch (error) {
    return failureFromError(error, 'WRITE_ERROR', path);
  } finally {
    if (descriptor !== -1) closeSync(descriptor);
    entry.directory.close();
  }
}
