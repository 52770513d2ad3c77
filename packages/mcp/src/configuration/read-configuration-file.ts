import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

const chunkBytes = 64 * 1024;

/**
 * Reads a regular file as UTF-8, without a byte order mark. Never waits for a pipe or a device, which a configuration
 * may name as well.
 *
 * @throws Error if the path is not a regular file, or the file is larger than `maxBytes`.
 */
export async function readRegularFile(path: string, maxBytes: number): Promise<string> {
  // Windows has neither this flag nor such files.
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!(await handle.stat()).isFile()) throw new Error('not a regular file');
    const chunks: Buffer[] = [];
    let length = 0;
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(chunkBytes));
      if (bytesRead === 0) return withoutMark(Buffer.concat(chunks).toString('utf8'));
      chunks.push(buffer.subarray(0, bytesRead));
      length += bytesRead;
      if (length > maxBytes) throw new Error(`larger than ${maxBytes} bytes`);
    }
  } finally {
    await handle.close();
  }
}

/** Removes a byte order mark. */
export function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
