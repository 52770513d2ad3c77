import { hash } from 'node:crypto';

/** Names content by its SHA-256, 64 lower-case hexadecimal digits: equal bytes, equal name. A string counts as its UTF-8. */
export function hashContent(content: Uint8Array | string): string {
  return hash('sha256', content, 'hex');
}
