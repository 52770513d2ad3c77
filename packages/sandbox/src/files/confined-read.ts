import { closeSync, constants, fstatSync, lstatSync, openSync, read, readSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Roots } from '../paths/confine.ts';
import { openEntry, type ConfinedEntry, type ExpectedPathOptions, type RootOptions } from './confined-directory.ts';
import { describeStats, movedOut, findRefusal, type EntryStatus, type HardLinkPolicy } from './entry-status.ts';
import { createFailure, failureFromError, type SandboxFailure } from '../sandbox-failure.ts';

/** Options of {@link openConfined}. */
export interface OpenConfinedOptions extends ExpectedPathOptions, RootOptions {
  /** Whether files with several names may be read. Default `owned`. */
  readonly hardLinks?: HardLinkPolicy;
  /** Whether to follow a link to a file inside the roots. Default true. */
  readonly followLinks?: boolean;
}

/** An open regular file inside the roots. Call `close` when done. */
export interface ConfinedFile extends EntryStatus {
  readonly ok: true;
  /** The real absolute path. */
  readonly path: string;
  /**
   * Reads up to `length` bytes from `position`, fewer at the end. Content appended after the file was opened is not
   * read. Rejects only if the disk fails or after `close`.
   */
  read(position: number, length: number): Promise<Uint8Array>;
  /**
   * Fills `target` from `position` synchronously and returns the number of bytes read, fewer at the end. Use it for
   * many small files, which take less time to read than to wait for. Throws if the disk fails or after `close`.
   */
  readInto(target: Uint8Array, position: number): number;
  close(): void;
}

/** Options of {@link readConfinedFile}. */
export interface ReadConfinedOptions extends OpenConfinedOptions {
  /** Maximum file size in bytes. Default 10 MB. A larger file is refused with `FILE_TOO_LARGE`. */
  readonly maxBytes?: number;
}

/** The content and status of a file. */
export interface ConfinedContent extends EntryStatus {
  readonly ok: true;
  /** The real absolute path. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

const unsizedChunkBytes = 16_384;
/** Reading or writing this much synchronously is faster than using another thread. */
export const maxSyncBytes = 131_072;
const readBytes = promisify(read);
export const openFlags: number =
  constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * Opens a regular file inside the roots for reading in chunks.
 *
 * The path is resolved without following swapped links and the file stays open, so later changes of the path do not
 * affect what is read. Pipes, sockets and devices are refused without being opened. Codes: those of `confine`, and
 * `NOT_FOUND`, `IS_DIRECTORY`, `NOT_REGULAR_FILE`, `SYMLINK_REFUSED`, `HARD_LINKED`, `ACCESS_DENIED`, `READ_ERROR`.
 *
 * @example
 * import { openConfined } from '@haft/sandbox';
 * const opened = await openConfined([process.cwd()], '/outside/notes.txt');
 * 'code' in opened && opened.code; // => 'OUTSIDE_ROOTS'
 */
export async function openConfined(
  roots: Roots,
  path: string,
  options: OpenConfinedOptions = {},
): Promise<ConfinedFile | SandboxFailure> {
  return openSyncConfined(roots, path, options);
}

/**
 * Reads a whole regular file inside the roots.
 *
 * A file that grows meanwhile is read up to the size it had when it was opened; of a file that shrinks, the remaining
 * content is returned. Codes: those of `openConfined`, and `FILE_TOO_LARGE`.
 */
export async function readConfinedFile(
  roots: Roots,
  path: string,
  options: ReadConfinedOptions = {},
): Promise<ConfinedContent | SandboxFailure> {
  const maxBytes = options.maxBytes ?? 10_000_000;
  const file = openSyncConfined(roots, path, options);
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

/** Reads files of /proc and similar file systems, which report a size of zero. */
async function readUnsized(file: ConfinedFile, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (length < maxBytes) {
    const chunk = await file.read(length, Math.min(unsizedChunkBytes, maxBytes - length));
    if (chunk.length === 0) break;
    chunks.push(chunk);
    length += chunk.length;
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}

function openSyncConfined(roots: Roots, path: string, options: OpenConfinedOptions): ConfinedFile | SandboxFailure {
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
    // Checked before it is opened, because opening alone can wake the other end of a pipe or rewind a tape.
    const before = findRefusal(lstatSync(directory.at(name), { bigint: true }), entry, hardLinks);
    if (before !== undefined) return before;
    descriptor = openSync(directory.at(name), openFlags);
    const stats = fstatSync(descriptor, { bigint: true });
    const after = findRefusal(stats, entry, hardLinks);
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

export function createReader(descriptor: number, size: number): Pick<ConfinedFile, 'read' | 'readInto' | 'close'> {
  let open = true;
  let reading = 0;
  const closeWhenIdle = (): void => {
    if (!open && reading === 0) closeSync(descriptor);
  };
  const close = (): void => {
    if (!open) return;
    open = false;
    closeWhenIdle();
  };
  const readInto = (target: Uint8Array, position: number): number => {
    if (!open) throw new TypeError('file: is closed');
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
      if (!open) throw new TypeError('file: is closed');
      const buffer = new Uint8Array(size === 0 ? length : Math.max(0, Math.min(length, size - position)));
      // A file without a size is not on a disk, and reading it may block.
      if (size > 0 && buffer.length <= maxSyncBytes) return buffer.subarray(0, readInto(buffer, position));
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
