import { closeSync, constants, fstatSync, openSync, readSync, statSync, type Stats } from 'node:fs';

/** A regular file's text, and what says whether it is still the same. */
export interface SmallFile {
  readonly text: string;
  readonly signature: string;
  /** When it last changed, in milliseconds since 1970; no program sets it. */
  readonly changedMs: number;
}

// A pipe that has a file's name must not hold the program up.
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Reads up to `maxBytes` of a regular file, through links. Returns undefined for what is missing, not regular or not readable. */
export function readSmallFile(path: string, maxBytes: number): SmallFile | undefined {
  let descriptor: number | undefined;
  try {
    // Nearly always there is none, and an exception costs more than a look.
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

/** The signature of what is at a path now. */
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
