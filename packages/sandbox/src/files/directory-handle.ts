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
import { createDescriptorDirectory } from './walk/walk-by-descriptor.ts';
import { createPathDirectory } from './walk/walk-by-path.ts';
import type { ConfinedDirectory, DirectoryReference, SharedDirectory, Walk } from './walk/walk.ts';
import type { DirectoryEntry } from './confined-stat.ts';
import { createReader, openFlags, openRegularFile, type ConfinedFile } from './confined-read.ts';
import { kindOf, movedOut, type EntryStatus, type HardLinkPolicy } from './entry-status.ts';
import { isSmallDirectory } from './small-directory.ts';
import { createFailure, errnoOf, failureFromError, type SandboxFailure } from '../sandbox-failure.ts';

/** The status of an entry, with values that identify its current version. */
export interface DirectoryEntryStatus extends EntryStatus {
  /** The inode number. */
  readonly inode: number;
  /** The change time in milliseconds since 1970, which programs cannot set. */
  readonly changedMs: number;
}

/**
 * An open directory inside the roots. Its entries are accessed relative to the open directory and without following
 * links, so renames and swaps cannot redirect the access, and its path is resolved only once. Call `close` when done.
 */
export interface DirectoryHandle {
  readonly ok: true;
  /** The real absolute path. */
  readonly path: string;
  /**
   * Lists the directory in chunks, in the order of the file system, so that other work can run in between. Returns a
   * failure if the list is invalid: `OUTSIDE_ROOTS` if the directory was moved out meanwhile, or `READ_ERROR`.
   */
  list(): Generator<readonly DirectoryEntry[], SandboxFailure | undefined>;
  /**
   * Opens a subdirectory. Codes: those of `openConfinedDirectory`, and `TARGET_CHANGED` if the name has become a link.
   */
  enter(name: string): DirectoryHandle | SandboxFailure;
  /**
   * Returns the status of entries without following links, or undefined for entries that are missing or not accessible.
   * Cheaper than opening them. If the directory is swapped and restored meanwhile, the result may be that of the other
   * directory.
   */
  stat(names: readonly string[]): readonly (DirectoryEntryStatus | undefined)[];
  /** Returns the target of a link in this directory, or undefined if the entry is not a link. */
  readLink(name: string): string | undefined;
  /**
   * Opens files from the list, with the codes of `openConfined`. Entries that have become links, pipes or devices are
   * refused. Close the files that were opened.
   */
  open(names: readonly string[]): readonly (ConfinedFile | SandboxFailure)[];
  /**
   * Creates a reference that lets another thread of this process open the folder with `openSharedDirectory`. It keeps
   * the folder open. Close it when the other thread has ended its work.
   */
  share(): SharedDirectory;
  close(): void;
}

const listChunkSize = 1_024;
const maxOpenedNames = 4;
const separators = sep === '\\' ? /[\\/]/ : /\//;

/**
 * Opens a directory inside the roots, for work on many entries below it. Codes: those of `confine`, and `NOT_FOUND`,
 * `NOT_DIRECTORY`, `READ_ERROR`.
 *
 * @example
 * import { openConfinedDirectory } from '@haft/sandbox';
 * const opened = openConfinedDirectory([process.cwd()], '/outside');
 * 'code' in opened && opened.code; // => 'OUTSIDE_ROOTS'
 */
export function openConfinedDirectory(
  roots: Roots,
  path: string,
  options: ExpectedPathOptions = {},
): DirectoryHandle | SandboxFailure {
  const directory = openDirectory(roots, path, options);
  return directory.ok ? createDirectoryHandle(directory) : directory;
}

/** Opens a folder that another thread of this process shares. The other thread closes it when this one has finished. */
export function openSharedDirectory(reference: DirectoryReference): DirectoryHandle {
  const directory =
    'descriptor' in reference
      ? createDescriptorDirectory(reference.base, reference.path, reference.descriptor)
      : createPathDirectory(reference.path, reference.device, reference.inode);
  return createDirectoryHandle({ ...directory, close: () => {} });
}

function createDirectoryHandle(directory: ConfinedDirectory): DirectoryHandle {
  const { path } = directory;
  return {
    ok: true,
    path,
    list: () => listDirectory(directory),
    enter(name) {
      const entered: Walk = isName(name) ? directory.enter(name) : 'swapped';
      if (entered === 'swapped')
        return createFailure('TARGET_CHANGED', `${JSON.stringify(name)} is not a directory in ${JSON.stringify(path)}`);
      return entered.ok ? createDirectoryHandle(entered) : entered;
    },
    stat(names) {
      // Many entries are read by path, which costs half as much, if the directory is still in place afterwards.
      if (names.length < maxOpenedNames) return names.map((name) => statEntry((each) => directory.at(each), name));
      const statuses = names.map((name) => statEntry((each) => pathOf(directory, each), name));
      return isInPlace(directory) ? statuses : names.map((name) => statEntry((each) => directory.at(each), name));
    },
    readLink(name) {
      try {
        return isName(name) ? readlinkSync(directory.at(name)) : undefined;
      } catch {
        return undefined;
      }
    },
    open(names) {
      const files = names.map((name) => openFileFast(directory, name));
      if (isConfinedSafe(directory)) return files;
      for (const file of files) if (file.ok) file.close();
      return names.map((name) => movedOut(pathOf(directory, name)));
    },
    share: () => directory.share(),
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
    else yield* listInChunks(self);
    return directory.isConfined() ? undefined : movedOut(directory.path);
  } catch (error) {
    return failureFromError(error, 'READ_ERROR', directory.path);
  }
}

function* listInChunks(path: string): Generator<readonly DirectoryEntry[], undefined> {
  const handle = opendirSync(path, { bufferSize: listChunkSize });
  try {
    let chunk: DirectoryEntry[] = [];
    for (let entry = handle.readSync(); entry !== null; entry = handle.readSync()) {
      chunk.push(toEntry(entry));
      if (chunk.length < listChunkSize) continue;
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

/** Opens an entry without a status check in the most frequent case, a regular file with one name. */
function openFileFast(directory: ConfinedDirectory, name: string): ConfinedFile | SandboxFailure {
  const path = pathOf(directory, name);
  if (!isName(name)) return createFailure('INVALID_PATH', `${JSON.stringify(name)} is not an entry name`);
  let descriptor = -1;
  try {
    descriptor = openSync(directory.at(name), openFlags);
    const stats = fstatSync(descriptor);
    if (stats.isFile() && stats.nlink === 1) {
      const { size, mode, mtimeMs } = stats;
      const { read, readInto, close } = createReader(descriptor, size);
      // Searches open very many files, and copying with a spread is slow.
      const kind = 'file';
      return {
        ok: true,
        path,
        kind,
        size,
        mode: mode & 0o777,
        modifiedMs: mtimeMs,
        hardLinks: 1,
        read,
        readInto,
        close,
      };
    }
    closeSync(descriptor);
  } catch (error) {
    if (descriptor !== -1) closeSync(descriptor);
    if (errnoOf(error) !== 'ELOOP') return failureFromError(error, 'READ_ERROR', path);
  }
  return openFileChecked(directory, name, path);
}

function openFileChecked(directory: ConfinedDirectory, name: string, path: string): ConfinedFile | SandboxFailure {
  const hardLinks: HardLinkPolicy = 'owned';
  return openRegularFile({ ok: true, directory, name, path, directoryOnly: false, isRoot: false }, hardLinks);
}

function isConfinedSafe(directory: ConfinedDirectory): boolean {
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
