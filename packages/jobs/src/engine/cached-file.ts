import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

const maxBytes = 64 * 1024 * 1024;

/** Returns the path of a file in the cache of this user, or undefined if the user has no such directory. */
export function cachePath(name: string): string | undefined {
  const given = process.env[process.platform === 'win32' ? 'LOCALAPPDATA' : 'XDG_CACHE_HOME'] ?? '';
  const cache = process.platform === 'darwin' ? join('Library', 'Caches') : '.cache';
  const base = isAbsolute(given) ? given : join(homedir(), cache);
  return isAbsolute(base) ? join(base, 'haft', name) : undefined;
}

/**
 * Reads a file of {@link writeCached}. Returns undefined if it is missing, is a link, or if another user owns or may
 * change it.
 */
export async function readCached(path: string): Promise<Buffer | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      const { mode, uid, size } = await file.stat();
      const isOwn = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
      return isOwn && size <= maxBytes ? await file.readFile() : undefined;
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

/** Writes a file, only for this user. A file that can't be written is only missing later. */
export async function writeCached(path: string, content: Uint8Array): Promise<void> {
  const unfinished = `${path}.${randomUUID()}`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(unfinished, content, { mode: 0o600, flag: 'wx' });
    await rename(unfinished, path);
  } catch {
    await rm(unfinished, { force: true }).catch(() => undefined);
  }
}
