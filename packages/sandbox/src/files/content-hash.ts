import { hash } from 'node:crypto';

/** The content that was hashed last, and its hash: a change of a file hashes the old content again just before it writes. */
let last: { readonly content: Buffer; readonly digest: string } | undefined;
/** Bytes of content that are kept at most. */
const keptBytes = 1_000_000;

/** Returns the SHA-256 of content as 64 lower-case hexadecimal digits. Strings are hashed as UTF-8. */
export function hashContent(content: Uint8Array | string): string {
  if (typeof content !== 'string' && last?.content.equals(content)) return last.digest;
  const digest = hash('sha256', content, 'hex');
  if (typeof content !== 'string' && content.length <= keptBytes) last = { content: Buffer.from(content), digest };
  return digest;
}
