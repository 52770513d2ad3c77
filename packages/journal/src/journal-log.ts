import { closeSync, constants, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { JournalError } from './journal-error.ts';
import type { JournalRecord } from './journal-record.ts';

/** The records of a journal, in a file that grows line by line. */
export interface JournalLog {
  /** As they were when the log was opened. */
  readonly records: readonly JournalRecord[];
  append(record: JournalRecord): void;
  /** Puts these in place of all records. */
  rewrite(records: readonly JournalRecord[]): void;
  close(): void;
}

const noFollow = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW;
const appendFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | noFollow;
const freshFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | noFollow;

/** Opens the log in `folder`. A last line that a crash cut off is dropped; any other line that can't be read is an error. */
export function openJournalLog(folder: string): JournalLog {
  const path = join(folder, 'journal.jsonl');
  let descriptor = openSync(path, appendFlags, 0o600);
  const { records, isCut } = readRecords(path);
  const write = (text: string): void => {
    const bytes = Buffer.from(text);
    for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written);
  };
  const rewrite = (kept: readonly JournalRecord[]): void => {
    const fresh = `${path}.new`;
    const former = descriptor;
    descriptor = openSync(fresh, freshFlags, 0o600);
    write(kept.map(toLine).join(''));
    renameSync(fresh, path);
    closeSync(former);
    closeSync(descriptor);
    descriptor = openSync(path, appendFlags, 0o600);
  };
  // What is written next must not become a part of a line that was cut.
  if (isCut) rewrite(records);
  return {
    records,
    append: (record) => write(toLine(record)),
    rewrite,
    close: () => closeSync(descriptor),
  };
}

function toLine(record: JournalRecord): string {
  return `${JSON.stringify(record)}\n`;
}

function readRecords(path: string): { readonly records: readonly JournalRecord[]; readonly isCut: boolean } {
  const lines = readFileSync(path, 'utf8').split('\n');
  const last = lines.pop() ?? '';
  const records = lines.map((line, index): JournalRecord => {
    try {
      return JSON.parse(line) as JournalRecord;
    } catch (cause) {
      throw new JournalError('JOURNAL_UNREADABLE', `${path}:${index + 1} is no record of a journal`, { cause });
    }
  });
  return { records, isCut: last !== '' };
}
