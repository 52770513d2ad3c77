import { closeSync, existsSync, lstatSync, mkdirSync, openSync, readlinkSync, realpathSync, constants } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { locate, type Location, type Roots } from './confine.ts';
import { isInside } from './real-path.ts';
import { createFailure, errnoOf, failureFromError, type SandboxFailure } from './sandbox-failure.ts';

/** An open directory inside the roots. What is done through `at` happens in this directory, whatever moves meanwhile. */
export interface ConfinedDirectory {
  readonly ok: true;
  /** The real path it was opened by. */
  readonly path: string;
  /** A path for one entry of it, for immediate use in a system call that does not follow links. */
  at(name: string): string;
  /** Says whether the directory still lies inside its root; false once somebody moved or swapped it. */
  isConfined(): boolean;
  close(): void;
}

/** The directory that holds an entry, and the entry's name. */
export interface ConfinedEntry {
  readonly ok: true;
  readonly directory: ConfinedDirectory;
  readonly name: string;
  /** The entry's real absolute path. */
  readonly path: string;
  /** The path ended in a separator, so only a directory will do. */
  readonly directoryOnly: boolean;
  /** The entry is itself one of the roots. */
  readonly isRoot: boolean;
}

interface OpenOptions {
  readonly followLast: boolean;
  readonly createParents?: boolean;
}

const maximumAttempts = 40;
// O_PATH, which node:fs does not name: enough to walk through a directory that may be entered but not listed.
const openPath = 0o10000000;
const walkFlags = openPath | constants.O_DIRECTORY | constants.O_NOFOLLOW;

let descriptorPaths: boolean | undefined;
function hasDescriptorPaths(): boolean {
  descriptorPaths ??= process.platform === 'linux' && existsSync('/proc/self/fd');
  return descriptorPaths;
}

/** Opens the directory that holds `target`. The walk itself follows no link: a component that became one starts it anew. */
export function openEntry(roots: Roots, target: string, options: OpenOptions): ConfinedEntry | SandboxFailure {
  return retryWhileSwapped(roots, target, options, (location) => {
    const isRoot = location.path === location.root;
    const directory = openDirectory(location, isRoot ? location.path : dirname(location.path), isRoot, options);
    if (directory === 'swapped' || !directory.ok) return directory;
    const { path, directoryOnly } = location;
    return { ok: true, directory, name: basename(path), path, directoryOnly, isRoot };
  });
}

/** Opens the directory `target` itself. */
export function openConfinedDirectory(roots: Roots, target: string): ConfinedDirectory | SandboxFailure {
  const options = { followLast: true };
  return retryWhileSwapped(roots, target, options, (location) =>
    openDirectory(location, location.path, false, options),
  );
}

function retryWhileSwapped<Opened extends { readonly ok: true }>(
  roots: Roots,
  target: string,
  options: OpenOptions,
  open: (location: Location) => Opened | SandboxFailure | 'swapped',
): Opened | SandboxFailure {
  for (let attempt = 0; attempt < maximumAttempts; attempt += 1) {
    const location = locate(roots, target, options.followLast);
    if (!location.ok) return location;
    const opened = open(location);
    if (opened !== 'swapped') return opened;
  }
  return createFailure('SYMLINK_LOOP', `${JSON.stringify(target)} kept changing while it was opened`);
}

type Walk = ConfinedDirectory | SandboxFailure | 'swapped';

/** With `asParent`, `path` is a root of its own and the directory above it is opened: roots are trusted. */
function openDirectory(location: Location, path: string, asParent: boolean, options: OpenOptions): Walk {
  const base = asParent ? dirname(path) : location.root;
  const directory = asParent ? base : path;
  const names = relative(base, directory)
    .split(sep)
    .filter((name) => name !== '');
  const create = options.createParents === true;
  return hasDescriptorPaths() ? walkByDescriptor(base, names, create) : walkByPath(base, names, create);
}

function walkByDescriptor(base: string, names: readonly string[], create: boolean): Walk {
  let walked = base;
  let descriptor = -1;
  const at = (name: string): string => `/proc/self/fd/${descriptor}/${name}`;
  try {
    descriptor = openSync(base, walkFlags);
    for (const name of names) {
      walked = join(walked, name);
      if (create) makeDirectory(at(name));
      const next = openSync(at(name), walkFlags);
      closeSync(descriptor);
      descriptor = next;
    }
  } catch (error) {
    const swapped = descriptor !== -1 && isSwapped(error, at(basename(walked)));
    if (descriptor !== -1) closeSync(descriptor);
    return swapped ? 'swapped' : failureFromError(error, create ? 'WRITE_ERROR' : 'READ_ERROR', walked);
  }
  return {
    ok: true,
    path: walked,
    at,
    isConfined: () => isInside(base, readlinkSync(`/proc/self/fd/${descriptor}`)),
    close: () => closeSync(descriptor),
  };
}

/** Where no directory can be held open by path, what was checked before is checked again after. */
function walkByPath(base: string, names: readonly string[], create: boolean): Walk {
  let walked = base;
  try {
    for (const name of names) {
      walked = join(walked, name);
      if (create) makeDirectory(walked);
      if (lstatSync(walked).isSymbolicLink()) return 'swapped';
    }
    const { dev, ino } = lstatSync(walked, { bigint: true });
    const isConfined = (): boolean => {
      try {
        const now = lstatSync(walked, { bigint: true });
        return now.dev === dev && now.ino === ino && now.isDirectory() && realpathSync.native(walked) === walked;
      } catch {
        return false;
      }
    };
    if (!lstatSync(walked).isDirectory())
      return createFailure('NOT_DIRECTORY', `${JSON.stringify(walked)} is not a directory`);
    return isConfined()
      ? { ok: true, path: walked, at: (name: string) => join(walked, name), isConfined, close: () => {} }
      : 'swapped';
  } catch (error) {
    return failureFromError(error, create ? 'WRITE_ERROR' : 'READ_ERROR', walked);
  }
}

function makeDirectory(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
}

function isSwapped(error: unknown, path: string): boolean {
  const errno = errnoOf(error);
  if (errno !== 'ENOTDIR' && errno !== 'ELOOP') return false;
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
