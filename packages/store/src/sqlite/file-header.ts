import { closeSync, openSync, readSync } from 'node:fs';

/** `Haft`, where SQLite lets an application sign its files. */
export const applicationId = 0x48_61_66_74;

/** What stands at the beginning of a SQLite file; both are 0 in a new one. */
export interface FileHeader {
  readonly applicationId: number;
  /** The form of the tables. */
  readonly format: number;
}

/**
 * Reads the header of a SQLite file without SQLite, which would already change files beside it. `undefined` for a file
 * that is empty, damaged, or no database. Source: https://www.sqlite.org/fileformat.html, section 1.3.
 */
export function readFileHeader(path: string): FileHeader | undefined {
  const bytes = Buffer.alloc(100);
  const file = openSync(path, 'r');
  try {
    if (readSync(file, bytes, 0, 100, 0) < 100) return undefined;
  } finally {
    closeSync(file);
  }
  if (bytes.toString('latin1', 0, 16) !== 'SQLite format 3\0') return undefined;
  return { format: bytes.readUInt32BE(60), applicationId: bytes.readUInt32BE(68) };
}
