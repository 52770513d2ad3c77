import { symlinkSync } from 'node:fs';
import type { Roots } from '../paths/confine.ts';
import type { ChangedEntry } from './confined-change.ts';
import { openEntry, type ProtectionOptions } from './confined-directory.ts';
import { movedOut } from './entry-status.ts';
import { protectDefaultPaths } from '../protection/path-protection.ts';
import { failureFromError, type SandboxFailure } from '../sandbox-failure.ts';

/**
 * Creates a symbolic link inside the roots, including missing parents. `target` is used literally and not checked: a
 * link that leads outside is refused when it is followed. Codes: those of `confine`, and `PROTECTED_PATH`,
 * `ALREADY_EXISTS`, `ACCESS_DENIED`, `WRITE_ERROR`.
 *
 * @example
 * import { createConfinedLink } from '@haft/sandbox';
 * const linked = await createConfinedLink([process.cwd()], '/outside/link', 'hosts');
 * 'code' in linked && linked.code; // => 'OUTSIDE_ROOTS'
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
