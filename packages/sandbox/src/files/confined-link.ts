import { symlinkSync } from 'node:fs';
import type { Roots } from '../paths/confine.ts';
import type { ChangedEntry } from './confined-change.ts';
import { openEntry, type ProtectionOptions } from './confined-directory.ts';
import { movedOut } from './entry-status.ts';
import { protectDefaultPaths } from '../protection/path-protection.ts';
import { failureFromError, type SandboxFailure } from '../sandbox-failure.ts';

/**
 * Makes a symbolic link inside the roots, with its parents. What it leads to is taken as it is given and never looked at: a
 * link that leads outside is refused to whoever follows it. Codes as for `confine`, and `PROTECTED_PATH`, `ALREADY_EXISTS`,
 * `ACCESS_DENIED`, `WRITE_ERROR`.
 */
export async function createConfinedLink(
  roots: Roots,
  path: string,
  target: string,
  { protection = protectDefaultPaths }: ProtectionOptions = {},
): Promise<ChangedEntry | SandboxFailure> {
  const entry = openEntry(roots, path, { followLast: false, createParents: true, protection });
  if (!entry.ok) return entry;
  try {
    if (!entry.directory.isConfined()) return movedOut(path);
    symlinkSync(target, entry.directory.at(entry.name));
    return { ok: true, path: entry.path };
  } catch (error) {
    return failureFromError(error, 'WRITE_ERROR', path);
  } finally {
    entry.directory.close();
  }
}
