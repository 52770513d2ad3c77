import { isAbsolute, parse } from 'node:path';
import { checkRoots, checkText } from '../check-given.ts';
import { findRealPath, isInside } from './real-path.ts';
import { createFailure, type SandboxFailure } from '../sandbox-failure.ts';

// One byte less than the limit of Linux, which includes the NUL at the end.
const maxPathBytes = 4_095;

/** The directories (absolute paths) that may be used. An empty list allows none, `'unrestricted'` allows all. */
export type Roots = readonly string[] | 'unrestricted';

/** A path inside the roots. */
export interface ConfinedPath {
  readonly ok: true;
  /** The real absolute path, without symbolic links at the time of the check. */
  readonly path: string;
  /** The real path of the root that contains it; the innermost one if several do. */
  readonly root: string;
}

/** The result of {@link confine}. */
export type Confinement = ConfinedPath | SandboxFailure;

export interface Location extends ConfinedPath {
  /** True if the path ended in a separator, so the entry must be a directory. */
  readonly directoryOnly: boolean;
}

/**
 * Resolves an absolute path and checks that the result is inside the roots.
 *
 * Follows all symbolic links, including those above components that do not exist yet; a dangling link resolves to its
 * target. Returns `OUTSIDE_ROOTS` for every path outside, whether or not it exists; `INVALID_PATH` for a relative path
 * or one with a NUL; inside the roots also `NOT_DIRECTORY`, `SYMLINK_LOOP`, `NAME_TOO_LONG` and `ACCESS_DENIED`. The
 * result is only valid at the time of the check: to open, write or remove, use the `…Confined…` functions, which are
 * safe against swapped paths.
 *
 * @throws TypeError if a root is not an absolute path or the path is not a string.
 * @example
 * import { tmpdir } from 'node:os';
 * import { confine } from '@haft/sandbox';
 * const answer = await confine([tmpdir()], '/outside/notes.txt');
 * 'code' in answer && answer.code; // => 'OUTSIDE_ROOTS'
 */
export async function confine(roots: Roots, target: string): Promise<Confinement> {
  const location = locate(roots, target, true);
  return location.ok ? { ok: true, path: location.path, root: location.root } : location;
}

/** Like {@link confine}, but synchronous. `followLast: false` does not follow a link at the end of the path. */
export function locate(roots: Roots, target: string, followLast: boolean): Location | SandboxFailure {
  checkText('path', target, '/project/notes.txt');
  checkRoots(roots);
  if (target.includes('\0')) return createFailure('INVALID_PATH', 'path: contains a NUL character');
  if (!isAbsolute(target))
    return createFailure('INVALID_PATH', 'path: is relative (expected an absolute path, for example from resolvePath)');

  const realRoots = roots === 'unrestricted' ? [parse(target).root] : roots.flatMap(findRealRoot);
  const holding = (path: string): string | undefined => longest(realRoots.filter((root) => isInside(root, path)));
  const outside = createFailure('OUTSIDE_ROOTS', `${JSON.stringify(target)} is outside the allowed roots`);

  const found = findRealPath(target, followLast);
  // Does not reveal why a path outside the roots cannot be resolved.
  if (!found.ok) return holding(found.at) === undefined ? outside : found.failure;
  const root = holding(found.path);
  if (root !== undefined && Buffer.byteLength(found.path) > maxPathBytes) {
    return createFailure('NAME_TOO_LONG', `path: exceeds ${maxPathBytes} bytes`);
  }
  return root === undefined ? outside : { ok: true, path: found.path, root, directoryOnly: found.directoryOnly };
}

function findRealRoot(root: string): string[] {
  if (!isAbsolute(root)) throw new TypeError(`roots: ${JSON.stringify(root)} is not an absolute path`);
  const found = findRealPath(root, true);
  return found.ok ? [found.path] : [];
}

function longest(paths: readonly string[]): string | undefined {
  return paths.reduce<string | undefined>(
    (best, path) => (best === undefined || path.length > best.length ? path : best),
    undefined,
  );
}
