import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { JournalError } from '../journal-error.ts';
import { readRegular } from './journal-log.ts';

/**
 * Takes a folder for this process alone; gives what gives it back. The lock of a process that has ended is taken over, also where
 * another process has its id by now.
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
        `the journal in ${folder} is used by process ${holder}; one at a time can`,
      );
    removeStaleLock(path, held);
  }
  throw new JournalError('JOURNAL_IN_USE', `the journal in ${folder} is taken again and again`);
}

/** Removes a lock if it is still the one that was read: another process may have taken it over meanwhile. */
function removeStaleLock(path: string, held: string): void {
  const aside = `${path}-${crypto.randomUUID()}`;
  try {
    renameSync(path, aside);
    if (readIfPresent(aside) !== held) linkSync(aside, path);
  } catch {
    // Somebody else was quicker: the next attempt tells.
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

/** Whether the process that took a lock is alive. Without a start, as on other systems than Linux, its id alone has to tell. */
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

/** Whether a process has ended and only waits for its parent to notice. False where that is not known. */
function hasEnded(id: number): boolean {
  return /^[ZX]$/.test(readStat(id)[0] ?? '');
}

/** When a process started, and in which run of the system: what no later process with the same id has. Undefined where that is not known. */
function describeStart(id: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  const start = readStat(id)[19];
  const run = readIfPresent('/proc/sys/kernel/random/boot_id').trim();
  return start === undefined || run === '' ? undefined : `${run}:${start}`;
}

/** The fields of `/proc/ID/stat` from the third on, the state of the process; empty on other systems than Linux. */
function readStat(id: number): readonly string[] {
  const stat = process.platform === 'linux' ? readIfPresent(`/proc/${id}/stat`) : '';
  // The second field is the name of the program in brackets, and may hold anything.
  return stat === '' ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
