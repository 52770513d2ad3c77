const sniffedBytes = 8_192;
/** Weight of a NUL: more than all other control characters together. */
const decisive = 1_000_000;
/**
 * Weight of each byte. Tab, line feed, form feed, carriage return, backspace, bell and escape occur in logs and
 * listings.
 */
const weights = Uint32Array.from({ length: 256 }, (_, byte) => {
  if (byte === 0) return decisive;
  return byte < 7 || (byte > 13 && byte < 32 && byte !== 27) || byte === 127 ? 1 : 0;
});

/**
 * Returns true if bytes are not text: the first 8 KB contain a NUL or more than one control character in ten. UTF-16
 * with a byte order mark and empty content are text.
 *
 * @example
 * import { isBinary } from '@haft/sandbox';
 * isBinary(new Uint8Array([0x41, 0x00])); // => true
 */
export function isBinary(bytes: Uint8Array): boolean {
  if (hasUtf16Mark(bytes)) return false;
  const sample = bytes.subarray(0, sniffedBytes);
  let controls = 0;
  // A table lookup by index, because searches check every file they open.
  for (let index = 0; index < sample.length; index += 1) controls += weights[sample[index]!]!;
  return controls * 10 > sample.length;
}

export function hasUtf16Mark(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}
