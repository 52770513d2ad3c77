import { createHash } from 'node:crypto';

/** Names content by its SHA-256, 64 lower-case hexadecimal digits: equal bytes, equal name. A string counts as its UTF-8. */
export function hashContent(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}
