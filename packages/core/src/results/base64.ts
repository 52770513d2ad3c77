const step = 0x8000;

/** Encodes bytes as base64, in any runtime. */
export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += step) binary += String.fromCharCode(...bytes.subarray(at, at + step));
  return btoa(binary);
}

/** Decodes base64. Throws a `TypeError` if the input is not valid base64. */
export function fromBase64(text: unknown): Uint8Array {
  try {
    if (typeof text === 'string') return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    // Ignored, because the error is thrown below.
  }
  throw new TypeError('the bytes are not valid base64');
}
