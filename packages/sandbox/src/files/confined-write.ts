import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsync,
  lstatSync,
  openSync,
  renameSync,
  unlinkSync,
  write,
  writeSync,
  type BigIntStats,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { checkIs, type Expectation } from '../check-given.ts';
import type { Roots } from '../paths/confine.ts';
import {
  openEntry,
  type ConfinedEntry,
  type ExpectedPathOptions,
  type ProtectionOptions,
  type RootOptions,
} from './confined-directory.ts';
import { openRegularFile, shortLength } from './confined-read.ts';
import { movedOut, refuseUnlessUsable } from './entry-status.ts';
import { protectDefaultPaths } from '../protection/path-protection.ts';
import { renameExclusively } from './rename-exclusively.ts';
import { hashContent } from './content-hash.ts';
import { createFailure, errnoOf, failureFromError, type SandboxFailure } from '../sandbox-failure.ts';

/** Options for writing a file. */
export interface WriteConfinedOptions extends ExpectedPathOptions, ProtectionOptions, RootOptions {
  /** Whether missing parent directories are made. Default true. */
  readonly createParents?: boolean;
  /**
   * What the file must hold now: a hash as `hashContent` gives it, or null when it must not exist. Otherwise nothing is
   * written and the code is `CHANGED_ON_DISK`. Without it, what is there is replaced.
   */
  readonly expectedHash?: string | null;
  /** Whether a link to a file inside the roots may be written through. Default false: `SYMLINK_REFUSED`. */
  readonly followLinks?: boolean;
  /** Whether a file with several names may be replaced (the other names keep the old content). Default false: `HARD_LINKED`. */
  readonly allowHardLinks?: boolean;
  /** The permission bits of the file afterwards, `0o000` to `0o777`. Default: those it had, for a new file what the system gives. */
  readonly mode?: number;
}

/** A file that has been written. */
export interface WrittenFile {
  readonly ok: true;
  /** The real absolute path. */
  readonly path: string;
  /** There was no file before. */
  readonly created: boolean;
  readonly bytesWritten: number;
  /** The hash of the new content, as `hashContent` gives it. */
  readonly hash: string;
}

const contentBytes: Expectation = {
  expected: "a Uint8Array such as Buffer.from('text')",
  fits: (value) => value instanceof Uint8Array,
};
const aHash: Expectation = {
  expected: 'a hash such as hashContent(bytes) gives, or null for a file that must not exist',
  fits: (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value),
};
const writeBytes = promisify(write);
const flush = promisify(fsync);
const writableFlags = constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const directoryFlags = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0);
const temporaryFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/**
 * Writes a whole file inside the roots, all or nothing.
 *
 * The content goes to a temporary file in the same directory, is flushed, and takes the name in one step, which is flushed as well: readers and
 * crashes see the old file or the new one, never a torn one. An existing file keeps its permission bits, and its owner
 * where the system lets it; setuid and setgid are never carried over, nor are extended attributes. No link is followed on
 * the way. Failure is data, and then the file is as it was: the codes of `confine`, `NOT_FOUND` (with `createParents`
 * false), `IS_DIRECTORY`, `NOT_REGULAR_FILE`, `SYMLINK_REFUSED`, `HARD_LINKED`, `PROTECTED_PATH`, `CHANGED_ON_DISK`, `ACCESS_DENIED`,
 * `WRITE_ERROR`.
 */
export async function writeConfinedFile(
  roots: Roots,
  path: string,
  bytes: Uint8Array,
  options: WriteConfinedOptions = {},
): Promise<WrittenFile | SandboxFailure> {
  checkIs('the bytes', bytes, contentBytes);
  if (options.expectedHash != null) checkIs('expectedHash', options.expectedHash, aHash);
  const entry = openEntry(roots, path, {
    followLast: options.followLinks ?? false,
    expectedPath: options.expectedPath,
    oneFileSystem: options.oneFileSystem,
    protection: options.protection ?? protectDefaultPaths,
    // A file that must be there needs no parents made.
    createParents: (options.createParents ?? true) && typeof options.expectedHash !== 'string',
  });
  if (!entry.ok) return entry;
  try {
    return await replace(entry, bytes, options);
  } catch (error) {
    return failureFromError(error, 'WRITE_ERROR', path);
  } finally {
    entry.directory.close();
  }
}

async function replace(
  entry: ConfinedEntry,
  bytes: Uint8Array,
  options: WriteConfinedOptions,
): Promise<WrittenFile | SandboxFailure> {
  const before = inspect(entry, options);
  if (before !== undefined && 'ok' in before) return before;
  const conflict = await findConflict(entry, before, options);
  if (conflict !== undefined) return conflict;

  const temporary = `.haft-${randomBytes(8).toString('hex')}.tmp`;
  let isInPlace = false;
  try {
    const refused = await writeTemporary(entry, temporary, bytes, before, options.mode);
    if (refused !== undefined) return refused;
    // No wait from here to the rename: two writers in this process cannot both find the file unchanged.
    const now = inspect(entry, options);
    if (now !== undefined && 'ok' in now) return now;
    if (options.expectedHash !== undefined && !isSameFile(before, now)) return changedOnDisk(entry);
    if (!entry.directory.isConfined()) return movedOut(entry.path);
    const move = options.expectedHash === null ? renameExclusively : renameSync;
    move(entry.directory.at(temporary), entry.directory.at(entry.name));
    isInPlace = true;
    await flushDirectory(entry);
    return {
      ok: true,
      path: entry.path,
      created: now === undefined,
      bytesWritten: bytes.length,
      hash: hashContent(bytes),
    };
  } catch (error) {
    if (options.expectedHash === null && errnoOf(error) === 'EEXIST') return changedOnDisk(entry);
    throw error;
  } finally {
    if (!isInPlace) removeQuietly(entry.directory.at(temporary));
  }
}

function inspect(entry: ConfinedEntry, options: WriteConfinedOptions): BigIntStats | SandboxFailure | undefined {
  const stats = lstatSync(entry.directory.at(entry.name), { bigint: true, throwIfNoEntry: false });
  if (stats !== undefined)
    return refuseUnlessUsable(stats, entry, options.allowHardLinks === true ? 'allow' : 'refuse') ?? stats;
  return entry.directoryOnly
    ? createFailure('IS_DIRECTORY', `${JSON.stringify(entry.path)} names a directory`)
    : undefined;
}

async function findConflict(
  entry: ConfinedEntry,
  stats: BigIntStats | undefined,
  options: WriteConfinedOptions,
): Promise<SandboxFailure | undefined> {
  if (stats !== undefined) ensureWritable(entry);
  if (options.expectedHash === undefined) return undefined;
  if (options.expectedHash === null || stats === undefined) {
    return (options.expectedHash === null) === (stats === undefined) ? undefined : changedOnDisk(entry);
  }
  const file = openRegularFile(entry, 'allow');
  if (!file.ok) return file;
  try {
    return hashContent(await file.read(0, file.size)) === options.expectedHash ? undefined : changedOnDisk(entry);
  } finally {
    file.close();
  }
}

/** Makes the new name last: the content alone is flushed with the file. Some systems and some rights do not allow it. */
async function flushDirectory(entry: ConfinedEntry): Promise<void> {
  if (process.platform === 'win32') return;
  let descriptor: number | undefined;
  try {
    descriptor = openSync(entry.directory.at('.'), directoryFlags);
    await flush(descriptor);
  } catch {
    // The file is in place all the same.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** A rename asks only for rights on the directory, but a file made read-only is meant to stay as it is. */
function ensureWritable(entry: ConfinedEntry): void {
  try {
    closeSync(openSync(entry.directory.at(entry.name), writableFlags));
  } catch (error) {
    // A program that is running cannot be written to, but well be replaced.
    if (errnoOf(error) !== 'ETXTBSY') throw error;
  }
}

async function writeTemporary(
  entry: ConfinedEntry,
  name: string,
  bytes: Uint8Array,
  replaced: BigIntStats | undefined,
  mode: number | undefined,
): Promise<SandboxFailure | undefined> {
  let descriptor: number;
  try {
    const bits = replaced === undefined && mode === undefined ? 0o666 : 0o600;
    descriptor = openSync(entry.directory.at(name), temporaryFlags, bits);
  } catch (error) {
    if (errnoOf(error) !== 'EACCES') throw error;
    return directoryClosed(entry, replaced !== undefined);
  }
  try {
    for (let written = 0; written < bytes.length;) {
      const left = bytes.length - written;
      written +=
        left <= shortLength
          ? writeSync(descriptor, bytes, written, left, written)
          : (await writeBytes(descriptor, bytes, written, left, written)).bytesWritten;
    }
    if (replaced !== undefined) keepOwner(descriptor, replaced);
    const bits = mode ?? (replaced === undefined ? undefined : Number(replaced.mode));
    if (bits !== undefined) fchmodSync(descriptor, bits & 0o777);
    await flush(descriptor);
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** A file that may be written need not lie in a folder that may: then it can't be replaced in one step. */
function directoryClosed(entry: ConfinedEntry, exists: boolean): SandboxFailure {
  return createFailure(
    'ACCESS_DENIED',
    `The directory of ${JSON.stringify(entry.path)} may not be written, which making and replacing files takes`,
    exists
      ? 'The folder of the file may not be written, and a file is replaced as a whole by way of its folder. Change a copy in another folder, or the file itself with bash.'
      : 'The folder may not be written. Choose another folder.',
  );
}

function keepOwner(descriptor: number, replaced: BigIntStats): void {
  if (Number(replaced.uid) === process.getuid?.() && Number(replaced.gid) === process.getgid?.()) return;
  try {
    fchownSync(descriptor, Number(replaced.uid), Number(replaced.gid));
  } catch {
    // Only the superuser may give files away; the content matters more.
  }
}

function isSameFile(before: BigIntStats | undefined, now: BigIntStats | undefined): boolean {
  if (before === undefined || now === undefined) return before === now;
  return (['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs'] as const).every((field) => before[field] === now[field]);
}

function changedOnDisk(entry: ConfinedEntry): SandboxFailure {
  return createFailure('CHANGED_ON_DISK', `${JSON.stringify(entry.path)} is not what was expected`);
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Renamed, never made, or out of reach: in no case is there something to clean.
  }
}
