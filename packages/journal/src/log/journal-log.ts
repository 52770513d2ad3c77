import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readJournalLines } from './journal-lines.ts';
import { JournalError } from '../journal-error.ts';
import type { JournalRecord } from '../journal-record.ts';

/** The records of a journal, in an append-only file. */
export interface JournalLog {
  /** Records at the time of opening. */
  readonly records: readonly JournalRecord[];
  /** Number of invalid lines found at the time of opening. Their bytes are in {@link damagedPath}, line by line. */
  readonly damagedLines: number;
  readonly damagedPath: string;
  append(record: JournalRecord): void;
  /** Resolves once all appended records survive a crash of the machine. */
  sync(): Promise<void>;
  /** Replaces all records. */
  rewrite(records: readonly JournalRecord[]): void;
  close(): void;
}

const noFollow = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW;
const appendFlags = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | noFollow;
const freshFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | noFollow;
const syncData = promisify(fdatasync);
const lineBreak = 0x0a;

/**
 * Opens the log in `folder`. Moves invalid lines, including one truncated by a crash, to a separate file and reads the
 * others.
 *
 * @throws JournalError `JOURNAL_UNREADABLE` if the log cannot be opened.
 */
export function openJournalLog(folder: string): JournalLog {
  const path = join(folder, 'journal.jsonl');
  const damagedPath = join(folder, 'journal-damaged.jsonl');
  let descriptor: number;
  let bytes: Uint8Array;
  try {
    descriptor = openRegular(path, appendFlags);
    bytes = readFileSync(descriptor);
  } catch (cause) {
    throw new JournalError('JOURNAL_UNREADABLE', `${path}: can't be opened`, { cause });
  }
  // Set after a partial write: the next write must start on a new line.
  let isTorn = false;
  let isSynced = true;
  const { records, lines, damaged } = readJournalLines(bytes);

  const append = (text: string): void => {
    const line = Buffer.from(isTorn ? `\n${text}` : text);
    isSynced = false;
    isTorn = true;
    writeFully(descriptor, line);
    isTorn = false;
  };
  const replace = (content: readonly Uint8Array[]): void => {
    const fresh = `${path}.new`;
    rmSync(fresh, { recursive: true, force: true });
    const written = openRegular(fresh, freshFlags);
    try {
      for (const line of content) writeFully(written, line);
      fsyncSync(written);
    } finally {
      closeSync(written);
    }
    renameSync(fresh, path);
    syncFolder(folder);
    closeSync(descriptor);
    descriptor = openRegular(path, appendFlags);
    isTorn = false;
  };

  if (damaged.length > 0) {
    // Write the copy before removing the original.
    const aside = openRegular(damagedPath, appendFlags);
    for (const line of damaged) writeFully(aside, Buffer.concat([line, Uint8Array.of(lineBreak)]));
    fsyncSync(aside);
    closeSync(aside);
    replace(lines);
  } else syncFolder(folder);
  return {
    records,
    damagedLines: damaged.length,
    damagedPath,
    append: (record) => append(toLine(record)),
    async sync() {
      if (isSynced) return;
      isSynced = true;
      try {
        await syncData(descriptor);
      } catch (error) {
        isSynced = false;
        throw error;
      }
    },
    rewrite: (kept) => replace(kept.map((record) => Buffer.from(toLine(record)))),
    close: () => closeSync(descriptor),
  };
}

function toLine(record: JournalRecord): string {
  return `${JSON.stringify(record)}\n`;
}

function writeFully(descriptor: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written);
}

/** Opens a regular file. Throws for anything else, because reading a pipe or a device may block or never end. */
function openRegular(path: string, flags: number): number {
  const descriptor = openSync(path, flags | (constants.O_NONBLOCK ?? 0), 0o600);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw new Error(`${path}: not a regular file`);
}

/** Reads a regular file. Throws for anything else. */
export function readRegular(path: string): Buffer {
  const descriptor = openRegular(path, constants.O_RDONLY);
  try {
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes new directory entries durable. Some systems do not support it. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  let descriptor: number | undefined;
  try {
    descriptor = openSync(folder, constants.O_RDONLY);
    fsyncSync(descriptor);
  } catch {
    // The file exists even if this fails.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
