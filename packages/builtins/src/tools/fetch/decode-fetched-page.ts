import { TextDecoder } from 'node:util';
import { decodeText } from '@haft/sandbox';

const lookedAt = 4_096;

/**
 * Decodes a response. Uses the byte order mark, the charset of the server or the charset declared in the page.
 * Otherwise, uses UTF-8 if the bytes are valid, else Windows-1252.
 */
export function decodePage(bytes: Uint8Array, contentType: string): string {
  const mark = markOf(bytes);
  const decoder = decoderOf(mark) ?? decoderOf(charsetOf(contentType)) ?? decoderOf(declaredCharset(bytes));
  return decoder ? decoder.decode(bytes) : decodeText(bytes).text;
}

function markOf([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

function charsetOf(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*["']?([\w.:+-]{1,40})/i.exec(contentType)?.[1];
}

/**
 * Returns the charset from `<meta charset>`, `<meta http-equiv>` or `<?xml encoding?>`. Returns UTF-8 instead of
 * UTF-16, because a declaration in UTF-16 could not be read here.
 */
function declaredCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, lookedAt)).toString('latin1');
  const label =
    /<meta\s[^>]{0,300}?charset\s*=\s*["']?\s*([\w.:+-]{1,40})/i.exec(head)?.[1] ??
    /^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([\w.:+-]{1,40})/i.exec(head)?.[1];
  return label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label;
}

function decoderOf(label: string | undefined): TextDecoder | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label);
  } catch {
    // Unknown charsets are ignored.
    return undefined;
  }
}
