import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { JournalError } from './journal-error.ts';

/**
 * Takes a folder for this process alone; gives what gives it back. The lock of a process that has ended is taken over.
 * @throws JournalError `JOURNAL_IN_USE`.
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, 'lock');
  const own = `${process.pid} ${crypto.randomUUID()}`;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      writeFileSync(path, own, { flag: 'wx', mode: 0o600 });
      return () => {
        if (readQuietly(path) === own) rmSync(path, { force: true });
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = Number(readQuietly(path).split(' ', 1)[0]);
    if (isAlive(holder))
      throw new JournalError(
        'JOURNAL_IN_USE',
        `the journal in ${folder} is used by process ${holder}; one at a time can`,
      );
    rmSync(path, { force: true });
  }
  throw new JournalError('JOURNAL_IN_USE', `the journal in ${folder} is taken again and again`);
}

function readQuietly(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function isAlive(process_: number): boolean {
  if (!Number.isSafeInteger(process_) || process_ <= 0) return false;
  try {
    process.kill(process_, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
