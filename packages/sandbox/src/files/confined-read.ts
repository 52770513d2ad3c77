import { closeSync, constants, fstatSync, lstatSync, openSync, read, readSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Roots } from '../paths/confine.ts';
import { openEntry, type ConfinedEntry, type ExpectedPathOptions, type RootOptions } from './confined-directory.ts';
import { describeStats, movedOut, refuseUnlessUsable, type EntryStatus, type HardLinkPolicy } from './entry-status.ts';
import { createFailure, failureFromError, type SandboxFailure } from '../sandbox-failure.ts';

/** Options for opening a file to read. */
export interface OpenConfinedOptions extends ExpectedPathOptions, RootOptions {
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
  /**
   * Reads up to `length` bytes from `position`, fewer at the end: what a file has gained since it was opened is not read.
   * Rejects only when the disk fails or after `close`.
   */
  read(position: number, length: number): Promise<Uint8Array>;
  /**
   * Fills `target` from `position` without a wait, and gives the number of bytes, fewer than it holds at the end: for many
   * small files, each of which takes less time to read than to wait for. Throws when the disk fails or after `close`.
   */
  readInto(target: Uint8Array, position: number): number;
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

const unsizedPiece = 16_384;
/** As much is read, or written, in less time than it takes to have another thread do it and wait for that. */
export const shortLength = 131_072;
const readBytes = promisify(read);
export const openFlags: number =
  constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * Opens a regular file inside the roots, for reading chunk by chunk.
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
    const bytes = size > 0 ? await file.read(0, size) : await readUnsized(file, maxBytes + 1);
    if (bytes.length > maxBytes) return tooLarge;
    return { ok: true, path: file.path, bytes, kind, size, mode, modifiedMs, hardLinks };
  } catch (error) {
    return failureFromError(error, 'READ_ERROR', path);
  } finally {
    file.close();
  }
}

/** Files of /proc and the like claim to be empty. */
async function readUnsized(file: ConfinedFile, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (length < maxBytes) {
    const chunk = await file.read(length, Math.min(unsizedPiece, maxBytes - length));
    if (chunk.length === 0) break;
    chunks.push(chunk);
    length += chunk.length;
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}

function openNow(roots: Roots, path: string, options: OpenConfinedOptions): ConfinedFile | SandboxFailure {
  const followLinks = options.followLinks ?? true;
  const entry = openEntry(roots, path, {
    followLast: followLinks,
    expectedPath: options.expectedPath,
    oneFileSystem: options.oneFileSystem,
  });
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
    const failure = after ?? (directory.isConfined() ? undefined : movedOut(path));
    if (failure !== undefined) {
      closeSync(descriptor);
      return failure;
    }
    return { ok: true, path, ...describeStats(stats), ...createReader(descriptor, Number(stats.size)) };
  } catch (error) {
    if (descriptor !== -1) closeSync(descriptor);
    return failureFromError(error, 'READ_ERROR', path);
  }
}

// By what closes them: the object that users hold is made elsewhere.
const descriptors = new WeakMap<object, number>();

/** The descriptor of an open file, for handing it to a process; undefined once it is closed, and for what came from elsewhere. */
export function descriptorOf(file: Readonly<Record<'close', unknown>>): number | undefined {
  return typeof file.close === 'function' ? descriptors.get(file.close) : undefined;
}

export function createReader(descriptor: number, size: number): Pick<ConfinedFile, 'read' | 'readInto' | 'close'> {
  let open = true;
  let reading = 0;
  const closeWhenIdle = (): void => {
    if (!open && reading === 0) closeSync(descriptor);
  };
  const close = (): void => {
    if (!open) return;
    open = false;
    descriptors.delete(close);
    closeWhenIdle();
  };
  descriptors.set(close, descriptor);
  const readInto = (target: Uint8Array, position: number): number => {
    if (!open) throw new TypeError('The file has been closed');
    const wanted = size === 0 ? target.length : Math.max(0, Math.min(target.length, size - position));
    let filled = 0;
    while (filled < wanted) {
      const got = readSync(descriptor, target, filled, wanted - filled, position + filled);
      if (got === 0) break;
      filled += got;
    }
    return filled;
  };
  return {
    read: async (position, length) => {
      if (!open) throw new TypeError('The file has been closed');
      const buffer = new Uint8Array(size === 0 ? length : Math.max(0, Math.min(length, size - position)));
      // What has no size is not on a disk, and may keep one waiting.
      if (size > 0 && buffer.length <= shortLength) return buffer.subarray(0, readInto(buffer, position));
      reading += 1;
      try {
        let filled = 0;
        while (filled < buffer.length) {
          const { bytesRead } = await readBytes(descriptor, buffer, filled, buffer.length - filled, position + filled);
          if (bytesRead === 0) break;
          filled += bytesRead;
        }
        return buffer.subarray(0, filled);
      } finally {
        reading -= 1;
        closeWhenIdle();
      }
    },
    readInto,
    close,
  };
}
