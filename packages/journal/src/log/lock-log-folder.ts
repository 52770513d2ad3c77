import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { JournalError } from '../journal-error.ts';
import { readRegular } from './journal-log.ts';

/**
 * Locks a folder for this process and returns a function that releases it. Replaces the lock of a process that has
 * ended, even if another process has reused its id.
 * @throws JournalError `JOURNAL_IN_USE`.
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, 'lock');
  const own = `${process.pid} ${crypto.randomUUID()} ${describeStart(process.pid) ?? ''}`;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      writeFileSync(path, own, { flag: 'wx', mode: 0o600 });
      return () => {
        if (readIfPresent(path) === own) rmSync(path, { force: true });
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const held = readIfPresent(path);
    const [holder = '', , start = ''] = held.split(' ');
    if (isSameProcess(Number(holder), start))
      throw new JournalError(
        'JOURNAL_IN_USE',
        `${folder}: process ${holder} is using this journal (expected one process at a time)`,
      );
    removeStaleLock(path, held);
  }
  throw new JournalError('JOURNAL_IN_USE', `${folder}: other processes keep locking this journal`);
}

/** Removes a stale lock. If another process has replaced it meanwhile, puts that lock back. */
function removeStaleLock(path: string, held: string): void {
  const aside = `${path}-${crypto.randomUUID()}`;
  try {
    renameSync(path, aside);
    if (readIfPresent(aside) !== held) linkSync(aside, path);
  } catch {
    // Another process was faster, so this attempt is repeated.
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

function readIfPresent(path: string): string {
  try {
    return readRegular(path).toString('utf8');
  } catch {
    return '';
  }
}

/** Returns whether the lock's process is alive. Without a start time (not on Linux), only the process id counts. */
function isSameProcess(id: number, start: string): boolean {
  if (!Number.isSafeInteger(id) || id <= 0) return false;
  try {
    process.kill(id, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  if (hasEnded(id)) return false;
  const now = describeStart(id);
  return start === '' || now === undefined || now === start;
}

/** Returns whether a process is a zombie. False if unknown. */
function hasEnded(id: number): boolean {
  return /^[ZX]$/.test(readStat(id)[0] ?? '');
}

/** Identifies a process by its start time and the boot id, so that reused ids differ. Undefined if unknown. */
function describeStart(id: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  const start = readStat(id)[19];
  const run = readIfPresent('/proc/sys/kernel/random/boot_id').trim();
  return start === undefined || run === '' ? undefined : `${run}:${start}`;
}

/**
 * Returns the fields of `/proc/ID/stat` from the third one on (the process state). Empty on other systems than Linux.
 */
function readStat(id: number): readonly string[] {
  const stat = process.platform === 'linux' ? readIfPresent(`/proc/${id}/stat`) : '';
  // The second field is the program name in parentheses and may contain any character.
  return stat === '' ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
