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
import { openRegularFile, maxSyncBytes } from './confined-read.ts';
import { movedOut, findRefusal } from './entry-status.ts';
import { protectDefaultPaths } from '../protection/path-protection.ts';
import { renameExclusively } from './rename-exclusively.ts';
import { hashContent } from './content-hash.ts';
import { createFailure, errnoOf, failureFromError, type SandboxFailure } from '../sandbox-failure.ts';

/** Options of {@link writeConfinedFile}. */
export interface WriteConfinedOptions extends ExpectedPathOptions, ProtectionOptions, RootOptions {
  /** Whether to create missing parent directories. Default true. */
  readonly createParents?: boolean;
  /**
   * The expected current content: a hash from `hashContent`, or null if the file must not exist. Otherwise nothing is
   * written and the code is `CHANGED_ON_DISK`. If omitted, existing content is replaced.
   */
  readonly expectedHash?: string | null;
  /** Whether to follow a link to a file inside the roots. Default false: returns `SYMLINK_REFUSED`. */
  readonly followLinks?: boolean;
  /**
   * Whether to replace a file with several names; the other names retain the old content. Default false: returns
   * `HARD_LINKED`.
   */
  readonly allowHardLinks?: boolean;
  /**
   * The permission bits of the file, `0o000` to `0o777`. Default: those of the existing file, or the system's default
   * for a new one.
   */
  readonly mode?: number;
}

/** A file that was written. */
export interface WrittenFile {
  readonly ok: true;
  /** The real absolute path. */
  readonly path: string;
  /** True if the file did not exist before. */
  readonly created: boolean;
  readonly bytesWritten: number;
  /** The `hashContent` of the new content. */
  readonly hash: string;
}

const contentBytes: Expectation = {
  expected: "a Uint8Array such as Buffer.from('text')",
  fits: (value) => value instanceof Uint8Array,
};
const hashKind: Expectation = {
  expected: 'a hash such as hashContent(bytes) returns, or null for a file that must not exist',
  fits: (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value),
};
const writeBytes = promisify(write);
const flush = promisify(fsync);
const writableFlags = constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const directoryFlags = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0);
const temporaryFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/**
 * Writes a whole file inside the roots atomically.
 *
 * The content is written to a temporary file in the same directory, flushed and renamed, and the rename is flushed too:
 * readers and crashes see the old file or the new one, never a partial one. An existing file retains its permission
 * bits, and its owner if the system permits it, but not setuid, setgid or extended attributes. No link is followed.
 * After a failure, the file is unchanged. Codes: those of `confine`, and `NOT_FOUND` (with `createParents: false`),
 * `IS_DIRECTORY`, `NOT_REGULAR_FILE`, `SYMLINK_REFUSED`, `HARD_LINKED`, `PROTECTED_PATH`, `CHANGED_ON_DISK`,
 * `ACCESS_DENIED`, `WRITE_ERROR`.
 */
export async function writeConfinedFile(
  roots: Roots,
  path: string,
  bytes: Uint8Array,
  options: WriteConfinedOptions = {},
): Promise<WrittenFile | SandboxFailure> {
  checkIs('bytes', bytes, contentBytes);
  if (options.expectedHash != null) checkIs('expectedHash', options.expectedHash, hashKind);
  const entry = openEntry(roots, path, {
    followLast: options.followLinks ?? false,
    expectedPath: options.expectedPath,
    oneFileSystem: options.oneFileSystem,
    protection: options.protection ?? protectDefaultPaths,
    // A file that must exist already has parents.
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
    // Synchronous from here to the rename, so that two writers in this process cannot both find the file unchanged.
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
    if (!isInPlace) tryRemove(entry.directory.at(temporary));
  }
}

function inspect(entry: ConfinedEntry, options: WriteConfinedOptions): BigIntStats | SandboxFailure | undefined {
  const stats = lstatSync(entry.directory.at(entry.name), { bigint: true, throwIfNoEntry: false });
  if (stats !== undefined)
    return findRefusal(stats, entry, options.allowHardLinks === true ? 'allow' : 'refuse') ?? stats;
  return entry.directoryOnly
    ? createFailure('IS_DIRECTORY', `${JSON.stringify(entry.path)} is the path of a directory`)
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

/** Flushes the directory, which contains the new name. Some systems and permissions do not allow it. */
async function flushDirectory(entry: ConfinedEntry): Promise<void> {
  if (process.platform === 'win32') return;
  let descriptor: number | undefined;
  try {
    descriptor = openSync(entry.directory.at('.'), directoryFlags);
    await flush(descriptor);
  } catch {
    // The file is in place nevertheless.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/**
 * Checks write permission on the file. A rename needs only permission on the directory, but a read-only file should not
 * be replaced.
 */
function ensureWritable(entry: ConfinedEntry): void {
  try {
    closeSync(openSync(entry.directory.at(entry.name), writableFlags));
  } catch (error) {
    // A running program cannot be written to, but it can be replaced.
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
    return refuseUnwritableDirectory(entry, replaced !== undefined);
  }
  try {
    for (let written = 0; written < bytes.length;) {
      const left = bytes.length - written;
      written +=
        left <= maxSyncBytes
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

/**
 * The failure for a directory without write permission: a file in it cannot be replaced atomically, even if it is
 * writable.
 */
function refuseUnwritableDirectory(entry: ConfinedEntry, exists: boolean): SandboxFailure {
  return createFailure(
    'ACCESS_DENIED',
    `The directory of ${JSON.stringify(entry.path)} is not writable, which is required to create or replace files`,
    exists
      ? 'The directory of the file is not writable, so the file cannot be replaced. Change a copy in another directory, or the file itself with bash.'
      : 'The directory is not writable. Choose another directory.',
  );
}

function keepOwner(descriptor: number, replaced: BigIntStats): void {
  if (Number(replaced.uid) === process.getuid?.() && Number(replaced.gid) === process.getgid?.()) return;
  try {
    fchownSync(descriptor, Number(replaced.uid), Number(replaced.gid));
  } catch {
    // Only the superuser can change owners, and the content matters more.
  }
}

function isSameFile(before: BigIntStats | undefined, now: BigIntStats | undefined): boolean {
  if (before === undefined || now === undefined) return before === now;
  return (['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs'] as const).every((field) => before[field] === now[field]);
}

function changedOnDisk(entry: ConfinedEntry): SandboxFailure {
  return createFailure('CHANGED_ON_DISK', `${JSON.stringify(entry.path)} does not have the expected content`);
}

function tryRemove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Ignored: the file was renamed, was never created, or is not accessible any more.
  }
}
