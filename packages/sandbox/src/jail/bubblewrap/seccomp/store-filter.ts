import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSeccompFilter } from './seccomp-filter.ts';

let held: string | undefined;

/**
 * Returns a path by which a shell started by this process can open the filter for this machine. The file is already
 * unlinked, so that it cannot be changed or left behind. Returns undefined if there is no filter or no place to store
 * it.
 */
export function storeSeccompFilter(): string | undefined {
  return (held ??= store());
}

function store(): string | undefined {
  const filter = process.platform === 'linux' ? createSeccompFilter(process.arch) : undefined;
  if (!filter) return undefined;
  // Tries several directories, because the temporary one may not be usable.
  for (const directory of [tmpdir(), '/dev/shm', '/var/tmp']) {
    const held = storeIn(directory, filter);
    if (held !== undefined) return held;
  }
  return undefined;
}

function storeIn(temporary: string, filter: Uint8Array): string | undefined {
  try {
    const directory = mkdtempSync(join(temporary, 'haft-filter-'));
    try {
      const path = join(directory, 'filter');
      const writing = openSync(path, 'wx', 0o600);
      writeSync(writing, filter);
      closeSync(writing);
      // Open read-only for the life of this process; each jail opens it again.
      return `/proc/${process.pid}/fd/${openSync(path, 'r')}`;
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  } catch {
    return undefined;
  }
}
