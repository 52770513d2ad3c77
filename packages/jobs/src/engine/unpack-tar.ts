import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const blockSize = 512;

/**
 * Writes the files of an uncompressed tar archive into a new directory, only for this user.
 *
 * @throws Error if the archive is damaged or has anything but files and directories below its root.
 */
export function unpackTar(archive: Uint8Array, directory: string): void {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  mkdirSync(directory, { mode: 0o700 });
  for (let offset = 0; ;) {
    const field = (start: number, length: number): string =>
      bytes.toString('utf8', offset + start, offset + start + length).replace(/\0.*$/s, '');
    const name = field(0, 100);
    if (name === '') return;
    const [size, type] = [Number.parseInt(field(124, 12), 8), field(156, 1)];
    const start = offset + blockSize;
    const isSafe = name.split('/').every((part) => part !== '..') && !/[\\:]/.test(name);
    if (!isSafe || !(size >= 0) || start + size > bytes.length || !'05'.includes(type))
      throw new Error(`the archive is damaged at byte ${offset}`);
    if (type === '5') mkdirSync(join(directory, name), { recursive: true, mode: 0o700 });
    else writeFileSync(join(directory, name), bytes.subarray(start, start + size), { mode: 0o600 });
    offset = start + Math.ceil(size / blockSize) * blockSize;
  }
}
