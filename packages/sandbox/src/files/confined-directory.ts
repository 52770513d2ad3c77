import type { ConfinedDirectory, Walk } from './walk/walk.ts';
import { lstatSync, statSync } from 'node:fs';
import { basename, dirname, relative, sep } from 'node:path';
import { locate, type Location, type Roots } from '../paths/confine.ts';
import { type PathProtection } from '../protection/path-protection.ts';
import { createFailure, type SandboxFailure } from '../sandbox-failure.ts';
import { walkByDescriptor } from './walk/walk-by-descriptor.ts';
import { walkByPath } from './walk/walk-by-path.ts';

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

export interface OpenEntryOptions {
  /** Whether a link at the end of the path stands for what it leads to, or for itself. */
  readonly followLast: boolean;
  readonly createParents?: boolean;
  readonly expectedPath?: string | undefined;
  readonly oneFileSystem?: boolean | undefined;
  /** Asked before anything is made; without one nothing is protected, as for reading. */
  readonly protection?: PathProtection | 'off' | undefined;
}

/** What a change of files may be told. */
export interface ProtectionOptions {
  /**
   * Which paths are refused with `PROTECTED_PATH`, inside the roots too. Default: secrets and what other programs run or
   * trust, by {@link protectDefaultPaths}; `'off'` opens all.
   */
  readonly protection?: PathProtection | 'off';
}

/** What a caller knows of where a path leads. */
export interface ExpectedPathOptions {
  /**
   * The real path that was found and approved before. When the path leads elsewhere by now, because a link in it was made
   * or changed, nothing is done and the code is `TARGET_CHANGED`.
   */
  readonly expectedPath?: string;
}

/** How far a root reaches. */
export interface RootOptions {
  /**
   * Whether what is mounted inside a root is none of it: a file on another file system than its root is refused with
   * `OUTSIDE_ROOTS`. Default false.
   */
  readonly oneFileSystem?: boolean;
}

const maxAttempts = 40;

let descriptorPaths: boolean | undefined;
function hasDescriptorPaths(): boolean {
  descriptorPaths ??= process.platform === 'linux' && canWalkByDescriptor();
  return descriptorPaths;
}

/** Some containers have no /proc, or one that is not the kernel's: only trying tells. */
function canWalkByDescriptor(): boolean {
  const probe = walkByDescriptor('/', [], false);
  if (probe === 'swapped' || !probe.ok) return false;
  const isSame = lstatSync(probe.at('.'), { throwIfNoEntry: false })?.ino === lstatSync('/').ino;
  probe.close();
  return isSame;
}

/** Opens the directory that holds `target`. The walk itself follows no link: a component that became one starts it anew. */
export function openEntry(roots: Roots, target: string, options: OpenEntryOptions): ConfinedEntry | SandboxFailure {
  return retryWhileSwapped(roots, target, options, (location) => {
    const { path, directoryOnly } = location;
    const glob = typeof options.protection === 'function' ? options.protection(path) : undefined;
    if (glob !== undefined)
      return createFailure(
        'PROTECTED_PATH',
        `${JSON.stringify(path)} is protected (${glob}); pass protection to open it`,
      );
    const isRoot = path === location.root;
    // A root may be a single file, and is trusted: so is the directory above it.
    const holder = dirname(path);
    const elsewhere = (): SandboxFailure =>
      createFailure('OUTSIDE_ROOTS', `${JSON.stringify(path)} is on another file system than its root`);
    const isBound = options.oneFileSystem === true && !isRoot;
    // Before anything is made on the way, and again from what was opened.
    if (isBound && isOnAnother(location.root, (name) => name, pathsDownTo(location.root, path))) return elsewhere();
    const directory = walk(isRoot ? holder : location.root, holder, options.createParents ?? false);
    if (directory === 'swapped' || !directory.ok) return directory;
    const name = basename(path);
    if (isBound && isOnAnother(location.root, (at) => directory.at(at), ['.', name])) {
      directory.close();
      return elsewhere();
    }
    return { ok: true, directory, name, path, directoryOnly, isRoot };
  });
}

/** Whether one of some names leads to another file system than a root is on. */
function isOnAnother(root: string, at: (name: string) => string, names: readonly string[]): boolean {
  const { dev } = statSync(root, { bigint: true });
  return names.some((name) => (lstatSync(at(name), { bigint: true, throwIfNoEntry: false })?.dev ?? dev) !== dev);
}

/** A path and all above it, below a root. */
function pathsDownTo(root: string, path: string): readonly string[] {
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
  return createFailure('SYMLINK_LOOP', `${JSON.stringify(target)} kept changing while it was opened`);
}

/** A link that is itself meant, as one that is removed, lies elsewhere than what it leads to. */
function leadsTo(expectedPath: string, roots: Roots, target: string, location: Location, followLast: boolean): boolean {
  if (location.path === expectedPath) return true;
  if (followLast || lstatSync(location.path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return false;
  const followed = locate(roots, target, true);
  return followed.ok && followed.path === expectedPath;
}
