import { closeSync, constants, fstatSync, lstatSync, openSync, opendirSync, read, type BigIntStats } from 'node:fs';
import { promisify } from 'node:util';
import type { Roots } from './confine.ts';
import { openConfinedDirectory, openEntry, type ConfinedEntry } from './confined-directory.ts';
import { createFailure, failureFromError, type SandboxFailure } from './sandbox-failure.ts';

/** What an entry is; `other` is a pipe, socket or device. */
export type EntryKind = 'file' | 'directory' | 'link' | 'other';

/** What the system says about an entry. */
export interface EntryStatus {
  readonly kind: EntryKind;
  /** In bytes. */
  readonly size: number;
  /** The permission bits, `0o000` to `0o777`. */
  readonly mode: number;
  /** When the content last changed, in milliseconds since 1970. */
  readonly modifiedMs: number;
  /** How many names the file has; more than one means that some of them may lie outside the roots. */
  readonly hardLinks: number;
}

/**
 * Whether files with several names (hard links) may be used: `owned` allows those that belong to the user of this process
 * or to the owner of the directory, `refuse` none.
 */
export type HardLinkPolicy = 'allow' | 'owned' | 'refuse';

/** Options for opening a file to read. */
export interface OpenConfinedOptions {
  /** Default `owned`. */
  readonly hardLinks?: HardLinkPolicy;
  /** Whether a link that leads to a file inside the roots may be read through. Default true. */
  readonly followLinks?: boolean;
}

/** An open regular file inside the roots. Close it. */
export interface ConfinedFile extends EntryStatus {
  readonly ok: true;
  /** The real absolute path. */
  readonly path: string;
  /** Reads up to `length` bytes from `position`; fewer at the end of the file. Rejects only when the disk fails. */
  read(position: number, length: number): Promise<Uint8Array>;
  close(): void;
}

/** Options for reading a whole file. */
export interface ReadConfinedOptions extends OpenConfinedOptions {
  /** Default 10 MB; a longer file is refused with `FILE_TOO_LARGE`. */
  readonly maxBytes?: number;
}

/** A file's content. */
export interface ConfinedContent extends EntryStatus {
  readonly ok: true;
  /** The real absolute path. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** What an entry inside the roots is. */
export interface ConfinedStatus extends EntryStatus {
  readonly ok: true;
  /** The real absolute path. */
  readonly path: string;
}

/** One entry of a directory. A link is told as `link`, whatever it leads to. */
export interface DirectoryEntry {
  readonly name: string;
  readonly kind: EntryKind;
}

/** A directory's entries, sorted by name in code-unit order. */
export interface ConfinedListing {
  readonly ok: true;
  /** The real absolute path. */
  readonly path: string;
  readonly entries: readonly DirectoryEntry[];
  /** There are more entries than `maxEntries`; which ones were kept is up to the file system. */
  readonly truncated: boolean;
}

const readBytes = promisify(read);
const openFlags =
  constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * Opens a regular file inside the roots, for reading piece by piece.
 *
 * The path is walked without following links and the file is held open, so nothing that happens to the path afterwards
 * changes what is read. Pipes, sockets and devices are refused without being opened. Failure is data: the codes of
 * `confine`, `NOT_FOUND`, `IS_DIRECTORY`, `NOT_REGULAR_FILE`, `SYMLINK_REFUSED`, `HARD_LINKED`, `ACCESS_DENIED`, `READ_ERROR`.
 */
export async function openConfined(
  roots: Roots,
  path: string,
  options: OpenConfinedOptions = {},
): Promise<ConfinedFile | SandboxFailure> {
  return openNow(roots, path, options);
}

/**
 * Reads a whole regular file inside the roots.
 *
 * A file that grows meanwhile is read up to the size it had when opened; one that shrinks gives what is left. Codes as for
 * `openConfined`, and `FILE_TOO_LARGE`.
 */
export async function readConfinedFile(
  roots: Roots,
  path: string,
  options: ReadConfinedOptions = {},
): Promise<ConfinedContent | SandboxFailure> {
  const maxBytes = options.maxBytes ?? 10_000_000;
  const file = openNow(roots, path, options);
  if (!file.ok) return file;
  const { kind, size, mode, modifiedMs, hardLinks } = file;
  try {
    const tooLarge = createFailure('FILE_TOO_LARGE', `${JSON.stringify(path)} has more than ${maxBytes} bytes`);
    if (size > maxBytes) return tooLarge;
    // Files of /proc and the like claim to be empty: one byte over the limit tells.
    const bytes = await file.read(0, size === 0 ? Math.min(maxBytes, 1_048_576) + 1 : size);
    if (bytes.length > maxBytes) return tooLarge;
    return { ok: true, path: file.path, bytes, kind, size, mode, modifiedMs, hardLinks };
  } catch (error) {
    return failureFromError(error, 'READ_ERROR', path);
  } finally {
    file.close();
  }
}

/** Options for asking about an entry. */
export interface StatConfinedOptions {
  /** Whether a link is followed to what it leads to. Default true; false tells about the link itself. */
  readonly followLinks?: boolean;
}

/** Tells what an entry inside the roots is. Codes as for `confine`, and `NOT_FOUND`, `ACCESS_DENIED`, `READ_ERROR`. */
export async function statConfined(
  roots: Roots,
  path: string,
  options: StatConfinedOptions = {},
): Promise<ConfinedStatus | SandboxFailure> {
  const entry = openEntry(roots, path, { followLast: options.followLinks ?? true });
  if (!entry.ok) return entry;
  try {
    const stats = lstatSync(entry.directory.at(entry.name), { bigint: true });
    if (entry.directoryOnly && !stats.isDirectory()) return notDirectory(path);
    return { ok: true, path: entry.path, ...describeStats(stats) };
  } catch (error) {
    return failureFromError(error, 'READ_ERROR', path);
  } finally {
    entry.directory.close();
  }
}

/** Options for listing a directory. */
export interface ListConfinedOptions {
  /** Default 10,000. */
  readonly maxEntries?: number;
}

/**
 * Lists a directory inside the roots, in bounded memory. Codes as for `confine`, and `NOT_FOUND`, `NOT_DIRECTORY`,
 * `ACCESS_DENIED`, `READ_ERROR`.
 */
export async function listConfinedDirectory(
  roots: Roots,
  path: string,
  options: ListConfinedOptions = {},
): Promise<ConfinedListing | SandboxFailure> {
  const maxEntries = options.maxEntries ?? 10_000;
  const directory = openConfinedDirectory(roots, path);
  if (!directory.ok) return directory;
  try {
    const handle = opendirSync(directory.at('.'), { bufferSize: 256 });
    try {
      const entries: DirectoryEntry[] = [];
      let truncated = false;
      for (let entry = handle.readSync(); entry !== null; entry = handle.readSync()) {
        truncated = entries.length >= maxEntries;
        if (truncated) break;
        entries.push({ name: entry.name, kind: kindOf(entry) });
      }
      entries.sort((left, right) => (left.name < right.name ? -1 : 1));
      if (!directory.isConfined())
        return createFailure('OUTSIDE_ROOTS', `${JSON.stringify(path)} was moved out of its root`);
      return { ok: true, path: directory.path, entries, truncated };
    } finally {
      handle.closeSync();
    }
  } catch (error) {
    return failureFromError(error, 'READ_ERROR', path);
  } finally {
    directory.close();
  }
}

function openNow(roots: Roots, path: string, options: OpenConfinedOptions): ConfinedFile | SandboxFailure {
  const followLinks = options.followLinks ?? true;
  const entry = openEntry(roots, path, { followLast: followLinks });
  if (!entry.ok) return entry;
  try {
    return openRegularFile(entry, options.hardLinks ?? 'owned');
  } finally {
    entry.directory.close();
  }
}

/** Opens the entry for reading if it is a regular file that may be used. */
export function openRegularFile(entry: ConfinedEntry, hardLinks: HardLinkPolicy): ConfinedFile | SandboxFailure {
  const { directory, name, path } = entry;
  let descriptor = -1;
  try {
    // Looked at before it is opened: opening alone can wake the other end of a pipe or rewind a tape.
    const before = refuseUnlessUsable(lstatSync(directory.at(name), { bigint: true }), entry, hardLinks);
    if (before !== undefined) return before;
    descriptor = openSync(directory.at(name), openFlags);
    const stats = fstatSync(descriptor, { bigint: true });
    const after = refuseUnlessUsable(stats, entry, hardLinks);
    const failure =
      after ??
      (directory.isConfined()
        ? undefined
        : createFailure('OUTSIDE_ROOTS', `${JSON.stringify(path)} was moved out of its root`));
    if (failure !== undefined) {
      closeSync(descriptor);
      return failure;
    }
    return { ok: true, path, ...describeStats(stats), ...createReader(descriptor) };
  } catch (error) {
    if (descriptor !== -1) closeSync(descriptor);
    return failureFromError(error, 'READ_ERROR', path);
  }
}

function createReader(descriptor: number): Pick<ConfinedFile, 'read' | 'close'> {
  let open = true;
  let reading = 0;
  const closeWhenIdle = (): void => {
    if (!open && reading === 0) closeSync(descriptor);
  };
  return {
    read: async (position, length) => {
      if (!open) throw new TypeError('The file has been closed');
      reading += 1;
      try {
        const buffer = new Uint8Array(length);
        let filled = 0;
        while (filled < length) {
          const { bytesRead } = await readBytes(descriptor, buffer, filled, length - filled, position + filled);
          if (bytesRead === 0) break;
          filled += bytesRead;
        }
        return buffer.subarray(0, filled);
      } finally {
        reading -= 1;
        closeWhenIdle();
      }
    },
    close: () => {
      if (!open) return;
      open = false;
      closeWhenIdle();
    },
  };
}

/** Says why an entry's content must not be touched, if so. */
export function refuseUnlessUsable(
  stats: BigIntStats,
  entry: ConfinedEntry,
  hardLinks: HardLinkPolicy,
): SandboxFailure | undefined {
  const shown = JSON.stringify(entry.path);
  if (stats.isDirectory()) return createFailure('IS_DIRECTORY', `${shown} is a directory`);
  if (entry.directoryOnly) return notDirectory(entry.path);
  if (stats.isSymbolicLink()) return createFailure('SYMLINK_REFUSED', `${shown} is a symbolic link`);
  if (!stats.isFile()) return createFailure('NOT_REGULAR_FILE', `${shown} is a pipe, socket or device`);
  if (stats.nlink > 1n && hardLinks !== 'allow' && (hardLinks === 'refuse' || !isOwned(stats, entry))) {
    return createFailure('HARD_LINKED', `${shown} has ${stats.nlink} names`);
  }
  return undefined;
}

/** Owned by the user of this process or by the owner of the directory: a stranger's file has not been linked in. */
function isOwned(stats: BigIntStats, entry: ConfinedEntry): boolean {
  if (process.getuid === undefined || Number(stats.uid) === process.getuid()) return true;
  return stats.uid === lstatSync(entry.directory.at('.'), { bigint: true }).uid;
}

export function notDirectory(path: string): SandboxFailure {
  return createFailure('NOT_DIRECTORY', `${JSON.stringify(path)} is not a directory`);
}

export function describeStats(stats: BigIntStats): EntryStatus {
  return {
    kind: kindOf(stats),
    size: Number(stats.size),
    mode: Number(stats.mode & 0o777n),
    modifiedMs: Number(stats.mtimeNs) / 1e6,
    hardLinks: Number(stats.nlink),
  };
}

function kindOf(entry: { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean }): EntryKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'link' : 'other';
}
