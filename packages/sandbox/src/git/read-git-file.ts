import { closeSync, constants, fstatSync, openSync, readSync, statSync, type Stats } from 'node:fs';

/** The text of a regular file, and a signature that changes with the file. */
export interface SmallFile {
  readonly text: string;
  readonly signature: string;
  /** The change time in milliseconds since 1970, which programs cannot set. */
  readonly changedMs: number;
}

// Opening a pipe must not block.
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Reads up to `maxBytes` of a regular file, following links. Returns undefined for files that are missing, not regular
 * or not readable.
 */
export function readSmallFile(path: string, maxBytes: number): SmallFile | undefined {
  let descriptor: number | undefined;
  try {
    // The file is usually missing, and an exception costs more than this check.
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
    descriptor = openSync(path, flags);
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return undefined;
    const bytes = Buffer.alloc(Math.min(stats.size, maxBytes));
    const length = readSync(descriptor, bytes, 0, bytes.length, 0);
    return { text: bytes.toString('utf8', 0, length), signature: signatureOf(stats), changedMs: stats.ctimeMs };
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Returns the current signature of a file. */
export function signatureAt(path: string): string | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats === undefined ? undefined : signatureOf(stats);
  } catch {
    return undefined;
  }
}

function signatureOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [dev, ino, size, mtimeMs, ctimeMs].join(':');
}
