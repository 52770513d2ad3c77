import {
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  opendirSync,
  readdirSync,
  readlinkSync,
  type Dirent,
} from 'node:fs';
import { sep } from 'node:path';
import type { Roots } from '../paths/confine.ts';
import { openDirectory, type ExpectedPathOptions } from './confined-directory.ts';
import { type ConfinedDirectory, type Walk } from './walk/walk.ts';
import type { DirectoryEntry } from './confined-look.ts';
import { createReader, openFlags, openRegularFile, type ConfinedFile } from './confined-read.ts';
import { kindOf, movedOut, type EntryStatus, type HardLinkPolicy } from './entry-status.ts';
import { isSmallDirectory } from './small-directory.ts';
import { createFailure, errnoOf, failureFromError, type SandboxFailure } from '../sandbox-failure.ts';

/** An entry of an open folder as a look at it tells, with what says that it is still the same. */
export interface DirectoryEntryStatus extends EntryStatus {
  /** Its number in the file system. */
  readonly inode: number;
  /** When anything about it last changed, in milliseconds since 1970; no program sets it. */
  readonly changedMs: number;
}

/**
 * A folder inside the roots that is held open. What is in it is found from the open folder and through no link, so that
 * nothing that is moved or swapped meanwhile leads elsewhere, and the way to it is walked once for all. Close it.
 */
export interface DirectoryHandle {
  readonly ok: true;
  /** The real absolute path. */
  readonly path: string;
  /**
   * Lists the folder in chunks, in the order of the file system, with time for other work in between. It ends with the
   * failure for which the list can't be used: `OUTSIDE_ROOTS` when the folder was moved out meanwhile, `READ_ERROR`.
   */
  list(): Generator<readonly DirectoryEntry[], SandboxFailure | undefined>;
  /** Opens a folder in this one. `TARGET_CHANGED` when the name has become a link, and the codes of `openConfinedDirectory`. */
  enter(name: string): DirectoryHandle | SandboxFailure;
  /**
   * Looks at entries, links themselves and not what they lead to: much cheaper than opening them. Undefined for what is not
   * there or can't be looked at. Nothing is opened; of a folder that is swapped and put back in the meantime it may tell what
   * was seen in the other.
   */
  stat(names: readonly string[]): readonly (DirectoryEntryStatus | undefined)[];
  /** What a link in this folder says it leads to; undefined for what is no link. */
  readLink(name: string): string | undefined;
  /**
   * Opens what the list told to be files, each with the codes of `openConfined`; what has become a link, a pipe or a device
   * since is refused. Close those that are open.
   */
  open(names: readonly string[]): readonly (ConfinedFile | SandboxFailure)[];
  close(): void;
}

const pieceOfList = 1_024;
const fewNames = 4;
const separators = sep === '\\' ? /[\\/]/ : /\//;

/**
 * Opens a folder inside the roots, for work on much of what is below it. Codes as for `confine`, and `NOT_FOUND`,
 * `NOT_DIRECTORY`, `READ_ERROR`.
 */
export function openConfinedDirectory(
  roots: Roots,
  path: string,
  options: ExpectedPathOptions = {},
): DirectoryHandle | SandboxFailure {
  const directory = openDirectory(roots, path, options);
  return directory.ok ? createFolder(directory) : directory;
}

function createFolder(directory: ConfinedDirectory): DirectoryHandle {
  const { path } = directory;
  return {
    ok: true,
    path,
    list: () => listDirectory(directory),
    enter(name) {
      const entered: Walk = isName(name) ? directory.enter(name) : 'swapped';
      if (entered === 'swapped')
        return createFailure('TARGET_CHANGED', `${JSON.stringify(name)} is no folder in ${JSON.stringify(path)}`);
      return entered.ok ? createFolder(entered) : entered;
    },
    stat(names) {
      // A few are looked at from the open folder; many by its path, which is half the work, and then where it is once more.
      if (names.length < fewNames) return names.map((name) => statEntry((each) => directory.at(each), name));
      const looks = names.map((name) => statEntry((each) => pathOf(directory, each), name));
      return isInPlace(directory) ? looks : names.map((name) => statEntry((each) => directory.at(each), name));
    },
    readLink(name) {
      try {
        return isName(name) ? readlinkSync(directory.at(name)) : undefined;
      } catch {
        return undefined;
      }
    },
    open(names) {
      const files = names.map((name) => openListed(directory, name));
      if (isStillConfined(directory)) return files;
      for (const file of files) if (file.ok) file.close();
      return names.map((name) => movedOut(pathOf(directory, name)));
    },
    close: () => directory.close(),
  };
}

function statEntry(at: (name: string) => string, name: string): DirectoryEntryStatus | undefined {
  if (!isName(name)) return undefined;
  try {
    const stats = lstatSync(at(name), { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    const { size, mode, mtimeMs, ctimeMs, nlink, ino } = stats;
    return {
      kind: kindOf(stats),
      size,
      mode: mode & 0o777,
      modifiedMs: mtimeMs,
      hardLinks: nlink,
      inode: ino,
      changedMs: ctimeMs,
    };
  } catch {
    return undefined;
  }
}

function* listDirectory(
  directory: ConfinedDirectory,
): Generator<readonly DirectoryEntry[], SandboxFailure | undefined> {
  try {
    const self = directory.at('.');
    if (isSmallDirectory(self, directory.descriptor)) yield readdirSync(self, { withFileTypes: true }).map(toEntry);
    else yield* listInPieces(self);
    return directory.isConfined() ? undefined : movedOut(directory.path);
  } catch (error) {
    return failureFromError(error, 'READ_ERROR', directory.path);
  }
}

function* listInPieces(path: string): Generator<readonly DirectoryEntry[], undefined> {
  const handle = opendirSync(path, { bufferSize: pieceOfList });
  try {
    let chunk: DirectoryEntry[] = [];
    for (let entry = handle.readSync(); entry !== null; entry = handle.readSync()) {
      chunk.push(toEntry(entry));
      if (chunk.length < pieceOfList) continue;
      yield chunk;
      chunk = [];
    }
    if (chunk.length > 0) yield chunk;
  } finally {
    handle.closeSync();
  }
}

function toEntry(entry: Dirent): DirectoryEntry {
  return { name: entry.name, kind: kindOf(entry) };
}

/** The usual case without a second look: a regular file with one name. Everything else goes the long way. */
function openListed(directory: ConfinedDirectory, name: string): ConfinedFile | SandboxFailure {
  const path = pathOf(directory, name);
  if (!isName(name)) return createFailure('INVALID_PATH', `${JSON.stringify(name)} is no name`);
  let descriptor = -1;
  try {
    descriptor = openSync(directory.at(name), openFlags);
    const stats = fstatSync(descriptor);
    if (stats.isFile() && stats.nlink === 1) {
      const { size, mode, mtimeMs } = stats;
      const status = { kind: 'file', size, mode: mode & 0o777, modifiedMs: mtimeMs, hardLinks: 1 } as const;
      return { ok: true, path, ...status, ...createReader(descriptor, size) };
    }
    closeSync(descriptor);
  } catch (error) {
    if (descriptor !== -1) closeSync(descriptor);
    if (errnoOf(error) !== 'ELOOP') return failureFromError(error, 'READ_ERROR', path);
  }
  return openLookedAt(directory, name, path);
}

function openLookedAt(directory: ConfinedDirectory, name: string, path: string): ConfinedFile | SandboxFailure {
  const hardLinks: HardLinkPolicy = 'owned';
  return openRegularFile({ ok: true, directory, name, path, directoryOnly: false, isRoot: false }, hardLinks);
}

function isStillConfined(directory: ConfinedDirectory): boolean {
  try {
    return directory.isConfined();
  } catch {
    return false;
  }
}

function isInPlace(directory: ConfinedDirectory): boolean {
  try {
    return directory.isInPlace();
  } catch {
    return false;
  }
}

function pathOf({ path }: ConfinedDirectory, name: string): string {
  return path.endsWith(sep) ? path + name : path + sep + name;
}

function isName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !name.includes('\0') && !separators.test(name);
}
