import type { ConfinedDirectory, Walk } from './walk/walk.ts';
import { lstatSync, statSync } from 'node:fs';
import { basename, dirname, relative, sep } from 'node:path';
import { locate, type Location, type Roots } from '../paths/confine.ts';
import { type PathProtection } from '../protection/path-protection.ts';
import { createFailure, type SandboxFailure } from '../sandbox-failure.ts';
import { walkByDescriptor } from './walk/walk-by-descriptor.ts';
import { walkByPath } from './walk/walk-by-path.ts';

/** An entry, by its open parent directory and its name. */
export interface ConfinedEntry {
  readonly ok: true;
  readonly directory: ConfinedDirectory;
  readonly name: string;
  /** The entry's real absolute path. */
  readonly path: string;
  /** True if the path ended in a separator, so the entry must be a directory. */
  readonly directoryOnly: boolean;
  /** True if the entry is one of the roots. */
  readonly isRoot: boolean;
}

export interface OpenEntryOptions {
  /** Whether to follow a link at the end of the path. */
  readonly followLast: boolean;
  readonly createParents?: boolean;
  readonly expectedPath?: string | undefined;
  readonly oneFileSystem?: boolean | undefined;
  /** Called before anything is created. If undefined, no path is protected, as for reading. */
  readonly protection?: PathProtection | 'off' | undefined;
}

/** Options of functions that change files. */
export interface ProtectionOptions {
  /**
   * The paths to refuse with `PROTECTED_PATH`, even inside the roots. Default: secrets and files that other programs
   * run or trust, see {@link protectDefaultPaths}. `'off'` refuses none.
   */
  readonly protection?: PathProtection | 'off';
}

/** Options of functions that act on an approved path. */
export interface ExpectedPathOptions {
  /**
   * The real path that was resolved and approved before. If the path now resolves to another one because a link was
   * created or changed, nothing is done and the code is `TARGET_CHANGED`.
   */
  readonly expectedPath?: string;
}

/** Options of the roots. */
export interface RootOptions {
  /**
   * Whether to exclude file systems mounted inside a root. A file on another file system than its root is then refused
   * with `OUTSIDE_ROOTS`. Default false.
   */
  readonly oneFileSystem?: boolean;
}

const maxAttempts = 40;

let descriptorPaths: boolean | undefined;
function hasDescriptorPaths(): boolean {
  descriptorPaths ??= process.platform === 'linux' && canWalkByDescriptor();
  return descriptorPaths;
}

/** Some containers have no /proc or a fake one, so this tests it. */
function canWalkByDescriptor(): boolean {
  const probe = walkByDescriptor('/', [], false);
  if (probe === 'swapped' || !probe.ok) return false;
  const isSame = lstatSync(probe.at('.'), { throwIfNoEntry: false })?.ino === lstatSync('/').ino;
  probe.close();
  return isSame;
}

/** Opens the parent directory of `target`. The walk follows no link and restarts if a component has become one. */
export function openEntry(roots: Roots, target: string, options: OpenEntryOptions): ConfinedEntry | SandboxFailure {
  return retryWhileSwapped(roots, target, options, (location) => {
    const { path, directoryOnly } = location;
    const glob = typeof options.protection === 'function' ? options.protection(path) : undefined;
    if (glob !== undefined)
      return createFailure(
        'PROTECTED_PATH',
        `${JSON.stringify(path)} is protected (${glob}); pass the option protection to allow it`,
      );
    const isRoot = path === location.root;
    // A root may be a single file. It is trusted, and so is the directory above it.
    const container = dirname(path);
    const elsewhere = (): SandboxFailure =>
      createFailure('OUTSIDE_ROOTS', `${JSON.stringify(path)} is on another file system than its root`);
    const isBound = options.oneFileSystem === true && !isRoot;
    // Checked before anything is created, and again through the open directory.
    if (isBound && isOnOtherFileSystem(location.root, (name) => name, listPathsBelow(location.root, path)))
      return elsewhere();
    const directory = walk(isRoot ? container : location.root, container, options.createParents ?? false);
    if (directory === 'swapped' || !directory.ok) return directory;
    const name = basename(path);
    if (isBound && isOnOtherFileSystem(location.root, (at) => directory.at(at), ['.', name])) {
      directory.close();
      return elsewhere();
    }
    return { ok: true, directory, name, path, directoryOnly, isRoot };
  });
}

/** Returns true if any of the names is on a different file system than the root. */
function isOnOtherFileSystem(root: string, at: (name: string) => string, names: readonly string[]): boolean {
  const { dev } = statSync(root, { bigint: true });
  return names.some((name) => (lstatSync(at(name), { bigint: true, throwIfNoEntry: false })?.dev ?? dev) !== dev);
}

/** Returns a path and its parents, below a root. */
function listPathsBelow(root: string, path: string): readonly string[] {
  const paths: string[] = [];
  for (let at = path; at !== root && at !== dirname(at); at = dirname(at)) paths.push(at);
  return paths;
}

/** Opens the directory `target` itself. */
export function openDirectory(
  roots: Roots,
  target: string,
  { expectedPath }: ExpectedPathOptions = {},
): ConfinedDirectory | SandboxFailure {
  return retryWhileSwapped(roots, target, { followLast: true, expectedPath }, ({ root, path }) =>
    walk(root, path, false),
  );
}

function walk(base: string, directory: string, create: boolean): Walk {
  const names = relative(base, directory)
    .split(sep)
    .filter((name) => name !== '');
  return hasDescriptorPaths() ? walkByDescriptor(base, names, create) : walkByPath(base, names, create);
}

function retryWhileSwapped<Opened extends { readonly ok: true }>(
  roots: Roots,
  target: string,
  { followLast, expectedPath }: OpenEntryOptions,
  open: (location: Location) => Opened | SandboxFailure | 'swapped',
): Opened | SandboxFailure {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const location = locate(roots, target, followLast);
    if (!location.ok) return location;
    if (expectedPath !== undefined && !leadsTo(expectedPath, roots, target, location, followLast))
      return createFailure(
        'TARGET_CHANGED',
        `${JSON.stringify(target)} no longer leads to ${JSON.stringify(expectedPath)}`,
      );
    const opened = open(location);
    if (opened !== 'swapped') return opened;
  }
  return createFailure('SYMLINK_LOOP', `${JSON.stringify(target)} changed repeatedly while it was opened`);
}

/** If a link itself is the target, as in a removal, its path differs from the path of its target. */
function leadsTo(expectedPath: string, roots: Roots, target: string, location: Location, followLast: boolean): boolean {
  if (location.path === expectedPath) return true;
  if (followLast || lstatSync(location.path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return false;
  const followed = locate(roots, target, true);
  return followed.ok && followed.path === expectedPath;
}
