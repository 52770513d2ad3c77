/**
 * Decodes bytes as text. Tries the given charset, a byte order mark, UTF-8, UTF-16 without a byte order mark, and
 * Windows-1252 if only its letters are invalid UTF-8. Returns undefined if the bytes are not text.
 */
export function decodeText(bytes: Uint8Array, charset?: string): string | undefined {
  if (charset !== undefined) {
    const named = decodeAs(charset, bytes, false);
    if (named !== undefined) return named;
  }
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe && third === 0 && fourth === 0) return decodeUtf32(bytes, true);
  if (first === 0 && second === 0 && third === 0xfe && fourth === 0xff) return decodeUtf32(bytes, false);
  if (first === 0xff && second === 0xfe) return decodeAs('utf-16le', bytes, false);
  if (first === 0xfe && second === 0xff) return decodeAs('utf-16be', bytes, false);
  const wide = guessWide(bytes);
  if (wide !== undefined) return decodeAs(wide, bytes, true);
  if (hasControls(bytes)) return undefined;
  return decodeAs('utf-8', bytes, true) ?? decodeAs('windows-1252', bytes, true);
}

function decodeAs(charset: string, bytes: Uint8Array, fatal: boolean): string | undefined {
  try {
    return new TextDecoder(charset, { fatal }).decode(bytes);
  } catch {
    // The charset is unknown or does not match the bytes. Another encoding may match.
    return undefined;
  }
}

const sampled = 4_096;

/** UTF-16 text in European languages has a zero byte in nearly every code unit, always on the same side. */
function guessWide(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const length = Math.min(bytes.length, sampled) & ~1;
  if (length < 4 || bytes.length % 2 !== 0) return undefined;
  let even = 0;
  let odd = 0;
  for (let index = 0; index < length; index += 2) {
    if (bytes[index] === 0) even += 1;
    if (bytes[index + 1] === 0) odd += 1;
  }
  const most = (length / 2) * 0.7;
  if (odd >= most && even === 0) return 'utf-16le';
  return even >= most && odd === 0 ? 'utf-16be' : undefined;
}

/** Checks for control characters that text does not contain: all except tab, line endings, form feed and escape. */
function hasControls(bytes: Uint8Array): boolean {
  return bytes.some((byte) => byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte));
}

function decodeUtf32(bytes: Uint8Array, isLittle: boolean): string | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength - (bytes.byteLength % 4));
  const pieces: string[] = [];
  for (let at = 4; at < view.byteLength; at += 4) {
    const point = view.getUint32(at, isLittle);
    pieces.push(point <= 0x10ffff && (point < 0xd800 || point > 0xdfff) ? String.fromCodePoint(point) : '\uFFFD');
  }
  return pieces.join('');
}
