import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, parse, relative, sep } from 'node:path';
import { appendName } from './append-path-name.ts';
import { createDeepPath, type DeepPath } from './deep-path.ts';
import { createFailure, errnoOf, failureFromError, type SandboxFailure } from '../sandbox-failure.ts';
import { isSpecialWindowsName } from './special-windows-names.ts';

/** A resolved path. */
export interface RealPath {
  readonly ok: true;
  readonly path: string;
  /** True if the path ended in a separator, so the entry must be a directory. */
  readonly directoryOnly: boolean;
}

/**
 * A path that cannot be resolved, with the path of the component that failed. The caller decides how much it reveals.
 */
export interface UnresolvedPath {
  readonly ok: false;
  readonly at: string;
  readonly failure: SandboxFailure;
}

const maxLinks = 40;
const separators = sep === '\\' ? /[\\/]/ : /\//;

/**
 * Follows every symbolic link of an absolute path, component by component like the kernel. Components that do not exist
 * are retained; a dangling link resolves to its target.
 */
export function findRealPath(target: string, followLast: boolean): RealPath | UnresolvedPath {
  const deep = createDeepPath();
  try {
    return walkDown(target, followLast, deep);
  } finally {
    deep.close();
  }
}

function walkDown(target: string, followLast: boolean, deep: DeepPath): RealPath | UnresolvedPath {
  let current = parse(target).root;
  const pending = split(target.slice(current.length)).toReversed();
  let missing = 0;
  let links = 0;
  let directoryOnly = false;

  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    directoryOnly = name === '' && pending.length === 0;
    if (name === '' || name === '.') continue;
    if (name === '..') {
      current = dirname(current);
      missing = Math.max(0, missing - 1);
      continue;
    }
    const next = appendName(current, name);
    const stop = (failure: SandboxFailure): UnresolvedPath => ({ ok: false, at: next, failure });
    if (Buffer.byteLength(name) > 255)
      return stop(createFailure('NAME_TOO_LONG', 'path: a component exceeds 255 bytes'));
    if (sep === '\\' && isSpecialWindowsName(name)) {
      return stop(
        createFailure('INVALID_PATH', `path: ${JSON.stringify(name)} is not an ordinary file name on Windows`),
      );
    }
    if (missing > 0) {
      missing += 1;
      current = next;
      continue;
    }
    try {
      const short = deep.shorten(next);
      const stats = lstatSync(short, { throwIfNoEntry: false });
      if (stats === undefined) {
        missing = 1;
      } else if (stats.isSymbolicLink()) {
        if (!followLast && pending.length === 0) return { ok: true, path: next, directoryOnly: false };
        links += 1;
        if (links > maxLinks)
          return stop(createFailure('SYMLINK_LOOP', `path: has more than ${maxLinks} symbolic links`));
        // The text of a kernel link (/proc/self/root, /proc/1/cwd, /proc/self/fd/3) is not its target.
        if (isKernelLink(next)) return stop(createFailure('OUTSIDE_ROOTS', `${next} is a kernel link`));
        const text = readLink(short);
        if (text === undefined) {
          pending.push(name);
          continue;
        }
        if (isAbsolute(text)) current = parse(text).root;
        pending.push(...split(text.slice(isAbsolute(text) ? current.length : 0)).toReversed());
        continue;
      } else if (!stats.isDirectory() && pending.length > 0) {
        return stop(createFailure('NOT_DIRECTORY', `${JSON.stringify(next)} is not a directory`));
      }
    } catch (error) {
      return stop(failureFromError(error, 'READ_ERROR', next));
    }
    current = next;
  }
  return { ok: true, path: process.platform === 'linux' ? current : restoreSpelling(current), directoryOnly };
}

/**
 * Returns true if `path` is `root` or below it. Both must be real paths. A name such as `..foo` has no special meaning.
 */
export function isInside(root: string, path: string): boolean {
  const rest = relative(root, path);
  return rest === '' || (!isAbsolute(rest) && rest !== '..' && !rest.startsWith(`..${sep}`));
}

/** Returns undefined if the entry is no longer a link. */
function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    if (['EINVAL', 'ENOENT'].includes(errnoOf(error))) return undefined;
    throw error;
  }
}

function split(text: string): string[] {
  return text === '' ? [] : text.split(separators);
}

const ordinaryProcLinks: ReadonlySet<string> = new Set([
  '/proc/self',
  '/proc/thread-self',
  '/proc/net',
  '/proc/mounts',
]);

function isKernelLink(path: string): boolean {
  return process.platform === 'linux' && path.startsWith('/proc/') && !ordinaryProcLinks.has(path);
}

/** Case-insensitive systems open `SRC` for `src`, so comparisons need the spelling on disk. */
function restoreSpelling(path: string): string {
  let existing = path;
  for (;;) {
    try {
      return join(realpathSync.native(existing), relative(existing, path));
    } catch {
      const parent = dirname(existing);
      if (parent === existing) return path;
      existing = parent;
    }
  }
}
