import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';

const digestBytes = 32;
const maxBytes = 256 * 1024 * 1024;

/** Returns the path of a file in the cache of this user, or undefined if the user has no such directory. */
export function cachePath(name: string): string | undefined {
  const given = process.env[process.platform === 'win32' ? 'LOCALAPPDATA' : 'XDG_CACHE_HOME'] ?? '';
  const cache = process.platform === 'darwin' ? join('Library', 'Caches') : '.cache';
  const base = isAbsolute(given) ? given : join(homedir(), cache);
  return isAbsolute(base) ? join(base, 'haft', name) : undefined;
}

/**
 * Reads a file of {@link writeCached}. Returns undefined if it is missing or damaged, is a link, or if another user owns
 * or may change it.
 */
export async function readCached(path: string): Promise<Buffer<ArrayBuffer> | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      const { mode, uid, size } = await file.stat();
      const isOwn = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
      if (!isOwn || size > maxBytes) return undefined;
      const bytes = await file.readFile();
      const packed = bytes.subarray(digestBytes);
      if (!digestOf(packed).equals(bytes.subarray(0, digestBytes))) return undefined;
      return Buffer.from(await promisify(zstdDecompress)(packed, { maxOutputLength: maxBytes }));
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

/** Writes a file with its digest, only for this user. A file that can't be written is only missing later. */
export async function writeCached(path: string, content: Uint8Array): Promise<void> {
  const unfinished = `${path}.${randomUUID()}`;
  try {
    const packed = await promisify(zstdCompress)(content);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(unfinished, Buffer.concat([digestOf(packed), packed]), { mode: 0o600, flag: 'wx' });
    await rename(unfinished, path);
  } catch {
    await rm(unfinished, { force: true }).catch(() => undefined);
  }
}

function digestOf(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
