import { lstatSync, mkdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs';
import type { Roots } from '../paths/confine.ts';
import {
  openEntry,
  type ConfinedEntry,
  type ExpectedPathOptions,
  type OpenEntryOptions,
  type ProtectionOptions,
} from './confined-directory.ts';
import { movedOut, notDirectory } from './entry-status.ts';
import { protectDefaultPaths } from '../protection/path-protection.ts';
import { renameExclusively } from './rename-exclusively.ts';
import { createFailure, errnoOf, failureFromError, type SandboxFailure } from '../sandbox-failure.ts';

/** An entry that was created or removed. */
export interface ChangedEntry {
  readonly ok: true;
  /** The real absolute path. */
  readonly path: string;
}

/** An entry that was moved. */
export interface RenamedEntry {
  readonly ok: true;
  /** The real absolute paths before and after the move. */
  readonly from: string;
  readonly path: string;
}

/**
 * Creates a directory inside the roots, including missing parents. An existing directory is not an error. Codes: those
 * of `confine`, and `PROTECTED_PATH`, `ALREADY_EXISTS` (the name belongs to something else), `NOT_DIRECTORY`,
 * `ACCESS_DENIED`, `WRITE_ERROR`.
 *
 * @example
 * import { mkdtemp, realpath } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { createConfinedDirectory } from '@haft/sandbox';
 * const root = await mkdtemp(join(await realpath(tmpdir()), 'work-'));
 * const created = await createConfinedDirectory([root], join(root, 'notes/today'));
 * created.ok; // => true
 */
export async function createConfinedDirectory(
  roots: Roots,
  path: string,
  { protection = protectDefaultPaths }: ProtectionOptions = {},
): Promise<ChangedEntry | SandboxFailure> {
  return withEntry(roots, path, { followLast: true, createParents: true, protection }, (entry) => {
    try {
      mkdirSync(entry.directory.at(entry.name));
    } catch (error) {
      const existing = errnoOf(error) === 'EEXIST' && lstatSync(entry.directory.at(entry.name)).isDirectory();
      if (!existing) throw error;
    }
    return { ok: true, path: entry.path };
  });
}

/**
 * Removes a file, a link (never its target) or an empty directory inside the roots, but never a root itself. Codes:
 * those of `confine`, and `NOT_FOUND`, `PROTECTED_PATH`, `TARGET_CHANGED`, `DIRECTORY_NOT_EMPTY`, `NOT_DIRECTORY`,
 * `ACCESS_DENIED`, `WRITE_ERROR`.
 *
 * @example
 * import { removeConfined } from '@haft/sandbox';
 * const removed = await removeConfined([process.cwd()], '/outside/notes.txt');
 * 'code' in removed && removed.code; // => 'OUTSIDE_ROOTS'
 */
export async function removeConfined(
  roots: Roots,
  path: string,
  { protection = protectDefaultPaths, expectedPath }: ProtectionOptions & ExpectedPathOptions = {},
): Promise<ChangedEntry | SandboxFailure> {
  return withEntry(roots, path, { followLast: false, protection, expectedPath }, (entry) => {
    if (entry.isRoot) return refuseRoot(entry);
    const target = entry.directory.at(entry.name);
    const isDirectory = lstatSync(target).isDirectory();
    if (entry.directoryOnly && !isDirectory) return notDirectory(path);
    if (isDirectory) rmdirSync(target);
    else unlinkSync(target);
    return { ok: true, path: entry.path };
  });
}

/** Options of {@link renameConfined}. */
export interface RenameConfinedOptions extends ProtectionOptions, ExpectedPathOptions {
  /** The approved real path of the new name. `expectedPath` is that of the old name. */
  readonly expectedTarget?: string;
  /** Whether to replace an existing file with the new name. Default false: returns `ALREADY_EXISTS`. */
  readonly overwrite?: boolean;
  /** Whether to create missing parents of the new name. Default true. */
  readonly createParents?: boolean;
}

/**
 * Moves a file, link or directory inside the roots, but never a root itself. Both paths are confined. Codes: those of
 * `confine`, and `NOT_FOUND`, `PROTECTED_PATH` and `TARGET_CHANGED` (for either path), `ALREADY_EXISTS`,
 * `IS_DIRECTORY`, `NOT_DIRECTORY`, `ACCESS_DENIED`, `WRITE_ERROR` (also between file systems).
 *
 * @example
 * import { renameConfined } from '@haft/sandbox';
 * const renamed = await renameConfined([process.cwd()], '/outside/notes.txt', '/outside/copy.txt');
 * 'code' in renamed && renamed.code; // => 'OUTSIDE_ROOTS'
 */
export async function renameConfined(
  roots: Roots,
  from: string,
  to: string,
  options: RenameConfinedOptions = {},
): Promise<RenamedEntry | SandboxFailure> {
  const { protection = protectDefaultPaths, expectedPath, expectedTarget, createParents = true } = options;
  return withEntry(roots, from, { followLast: false, protection, expectedPath }, (source) => {
    if (source.isRoot) return refuseRoot(source);
    const stats = lstatSync(source.directory.at(source.name));
    if (source.directoryOnly && !stats.isDirectory()) return notDirectory(from);
    return withEntrySync(
      roots,
      to,
      { followLast: false, createParents, protection, expectedPath: expectedTarget },
      (target) => {
        if (target.isRoot) return refuseRoot(target);
        if (target.directoryOnly && !stats.isDirectory()) return notDirectory(to);
        const move = options.overwrite === true ? renameSync : renameExclusively;
        move(source.directory.at(source.name), target.directory.at(target.name));
        return { ok: true, from: source.path, path: target.path };
      },
    );
  });
}

function refuseRoot(entry: ConfinedEntry): SandboxFailure {
  return createFailure('OUTSIDE_ROOTS', `${JSON.stringify(entry.path)} is a root and cannot be removed or moved`);
}

async function withEntry<Done>(
  roots: Roots,
  path: string,
  options: OpenEntryOptions,
  act: (entry: ConfinedEntry) => Done | SandboxFailure,
): Promise<Done | SandboxFailure> {
  return withEntrySync(roots, path, options, act);
}

function withEntrySync<Done>(
  roots: Roots,
  path: string,
  options: OpenEntryOptions,
  act: (entry: ConfinedEntry) => Done | SandboxFailure,
): Done | SandboxFailure {
  const entry = openEntry(roots, path, options);
  if (!entry.ok) return entry;
  try {
    if (!entry.directory.isConfined()) return movedOut(path);
    return act(entry);
  } catch (error) {
    return failureFromError(error, 'WRITE_ERROR', path);
  } finally {
    entry.directory.close();
  }
}
