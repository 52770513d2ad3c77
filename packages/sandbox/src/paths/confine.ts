import { isAbsolute, parse } from 'node:path';
import { checkRoots, checkText } from '../check-given.ts';
import { findRealPath, isInside } from './real-path.ts';
import { createFailure, type SandboxFailure } from '../sandbox-failure.ts';

// One less than what Linux takes, since it counts the NUL at the end.
const longestPath = 4_095;

/** The directories (absolute paths) that may be used: an empty list allows none, `'unrestricted'` allows all. */
export type Roots = readonly string[] | 'unrestricted';

/** A path found to lie inside the roots. */
export interface ConfinedPath {
  readonly ok: true;
  /** The real absolute path: no symbolic link is left in it at the time of the check. */
  readonly path: string;
  /** The real path of the root that holds it, the innermost where several do. */
  readonly root: string;
}

/** What {@link confine} found. */
export type Confinement = ConfinedPath | SandboxFailure;

export interface Location extends ConfinedPath {
  /** The path ended in a separator, so only a directory will do. */
  readonly directoryOnly: boolean;
}

/**
 * Says where an absolute path really leads, and whether that is inside the roots.
 *
 * Symbolic links are followed wherever they stand, also above components that do not exist yet; a dangling link counts as
 * its target. Failure is data: `OUTSIDE_ROOTS` for all that lies outside, whatever is or is not there; `INVALID_PATH` for
 * a relative path or one with a NUL; inside the roots also `NOT_DIRECTORY`, `SYMLINK_LOOP`, `NAME_TOO_LONG`,
 * `ACCESS_DENIED`. The answer holds for this moment only: to open, write or remove, use the `…Confined…` functions, which
 * nothing can swap under. Throws `TypeError` for a root that is not an absolute path, and
 * for a path that is no string.
 */
export async function confine(roots: Roots, target: string): Promise<Confinement> {
  const location = locate(roots, target, true);
  return location.ok ? { ok: true, path: location.path, root: location.root } : location;
}

/** {@link confine} without the wait; `followLast: false` takes a link at the end of the path as the link itself. */
export function locate(roots: Roots, target: string, followLast: boolean): Location | SandboxFailure {
  checkText('the path', target, '/project/notes.txt');
  checkRoots(roots);
  if (target.includes('\0')) return createFailure('INVALID_PATH', 'The path contains a NUL character');
  if (!isAbsolute(target))
    return createFailure('INVALID_PATH', 'The path is relative; resolve it with resolvePath first');

  const realRoots = roots === 'unrestricted' ? [parse(target).root] : roots.flatMap(findRealRoot);
  const holding = (path: string): string | undefined => longest(realRoots.filter((root) => isInside(root, path)));
  const outside = createFailure('OUTSIDE_ROOTS', `${JSON.stringify(target)} lies outside the allowed roots`);

  const found = findRealPath(target, followLast);
  // Why an outside path leads nowhere is nobody's business.
  if (!found.ok) return holding(found.at) === undefined ? outside : found.failure;
  const root = holding(found.path);
  if (root !== undefined && Buffer.byteLength(found.path) > longestPath) {
    return createFailure('NAME_TOO_LONG', `The path exceeds ${longestPath} bytes`);
  }
  return root === undefined ? outside : { ok: true, path: found.path, root, directoryOnly: found.directoryOnly };
}

function findRealRoot(root: string): string[] {
  if (!isAbsolute(root)) throw new TypeError(`A root must be an absolute path, not ${JSON.stringify(root)}`);
  const found = findRealPath(root, true);
  return found.ok ? [found.path] : [];
}

function longest(paths: readonly string[]): string | undefined {
  return paths.reduce<string | undefined>(
    (best, path) => (best === undefined || path.length > best.length ? path : best),
    undefined,
  );
}
