const step = 0x8000;

/** Bytes as base64, in any runtime. */
export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += step) binary += String.fromCharCode(...bytes.subarray(at, at + step));
  return btoa(binary);
}

/** Base64 as bytes. Throws a `TypeError` when it is none. */
export function fromBase64(text: unknown): Uint8Array {
  try {
    if (typeof text === 'string') return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    // Told below.
  }
  throw new TypeError('bytes are no base64');
}
