import { hash } from 'node:crypto';

/** Returns the SHA-256 of content as 64 lower-case hexadecimal digits. Strings are hashed as UTF-8. */
export function hashContent(content: Uint8Array | string): string {
  return hash('sha256', content, 'hex');
}
