import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, parse, relative, sep } from 'node:path';
import { appendName } from './append-name.ts';
import { createDeepPath, type DeepPath } from './deep-path.ts';
import { createFailure, errnoOf, failureFromError, type SandboxFailure } from '../sandbox-failure.ts';
import { isTreacherousWindowsName } from './windows-names.ts';

/** Where a path really leads. */
export interface RealPath {
  readonly ok: true;
  readonly path: string;
  /** The path ended in a separator, so only a directory will do. */
  readonly directoryOnly: boolean;
}

/** A path that leads nowhere, with the place where it stopped: what is said about it depends on whose place that is. */
export interface DeadEnd {
  readonly ok: false;
  readonly at: string;
  readonly failure: SandboxFailure;
}

const maximumLinks = 40;
const separators = sep === '\\' ? /[\\/]/ : /\//;

/**
 * Follows every symbolic link of an absolute path, component by component and in the system's order. Components that do
 * not exist yet are kept as they are; a dangling link leads to where its target would be.
 */
export function findRealPath(target: string, followLast: boolean): RealPath | DeadEnd {
  const deep = createDeepPath();
  try {
    return walkDown(target, followLast, deep);
  } finally {
    deep.close();
  }
}

function walkDown(target: string, followLast: boolean, deep: DeepPath): RealPath | DeadEnd {
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
    const stop = (failure: SandboxFailure): DeadEnd => ({ ok: false, at: next, failure });
    if (Buffer.byteLength(name) > 255)
      return stop(createFailure('NAME_TOO_LONG', 'A path component exceeds 255 bytes'));
    if (sep === '\\' && isTreacherousWindowsName(name)) {
      return stop(createFailure('INVALID_PATH', `Windows does not read ${JSON.stringify(name)} as a plain file name`));
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
        if (links > maximumLinks) return stop(createFailure('SYMLINK_LOOP', `More than ${maximumLinks} links`));
        // The text of a kernel link (/proc/self/root, /proc/1/cwd, /proc/self/fd/3) does not say where it leads.
        if (isKernelLink(next)) return stop(createFailure('OUTSIDE_ROOTS', `${next} is a link made by the kernel`));
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

/** Says whether `path` is `root` or lies below it; both must be real paths. A name such as `..foo` is a name like any other. */
export function isInside(root: string, path: string): boolean {
  const rest = relative(root, path);
  return rest === '' || (!isAbsolute(rest) && rest !== '..' && !rest.startsWith(`..${sep}`));
}

/** Undefined when it is no link any more. */
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

/** Case-insensitive systems open `SRC` for `src`: comparisons need the spelling on disk. */
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
