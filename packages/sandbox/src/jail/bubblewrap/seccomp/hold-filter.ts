import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSeccompFilter } from './seccomp-filter.ts';

let held: string | undefined;

/**
 * Where a shell that this process starts can open the filter for this machine. It is in a file that has no name any more, so
 * that nobody changes it and none is left behind. Undefined where there is no filter, or nowhere to keep it.
 */
export function holdSeccompFilter(): string | undefined {
  return (held ??= hold());
}

function hold(): string | undefined {
  const filter = process.platform === 'linux' ? createSeccompFilter(process.arch) : undefined;
  if (!filter) return undefined;
  // A temporary folder that can't be used is no reason to do without.
  for (const folder of [tmpdir(), '/dev/shm', '/var/tmp']) {
    const held = holdIn(folder, filter);
    if (held !== undefined) return held;
  }
  return undefined;
}

function holdIn(temporary: string, filter: Uint8Array): string | undefined {
  try {
    const folder = mkdtempSync(join(temporary, 'haft-filter-'));
    try {
      const path = join(folder, 'filter');
      const writing = openSync(path, 'wx', 0o600);
      writeSync(writing, filter);
      closeSync(writing);
      // Read-only and for the life of this process: each jail opens it anew.
      return `/proc/${process.pid}/fd/${openSync(path, 'r')}`;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  } catch {
    return undefined;
  }
}
