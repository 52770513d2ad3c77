import { isUtf8 } from 'node:buffer';
import { stringKind, bytesKind, checkIs, checkOptions, oneOf, booleanKind } from '../check-given.ts';
import { createFailure, type SandboxFailure } from '../sandbox-failure.ts';
import { hasUtf16Mark } from './binary.ts';

/** The supported text encodings. */
export type TextEncodingName = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** The encoding of a stored text. */
export interface TextFormat {
  readonly encoding: TextEncodingName;
  /** True if a byte order mark precedes the text. */
  readonly bom: boolean;
}

/** A decoded text without its byte order mark, and its original format. */
export interface DecodedText extends TextFormat {
  readonly text: string;
  /** True if `encodeText` restores exactly the same bytes. False only for invalid UTF-16. */
  readonly lossless: boolean;
}

/** The bytes of a text. */
export interface EncodedText {
  readonly ok: true;
  readonly bytes: Uint8Array;
}

/**
 * Detects the encoding of a text: UTF-8 or UTF-16 by byte order mark, UTF-8 if all bytes are valid, otherwise
 * Windows-1252, which includes Latin-1 and accepts any bytes.
 *
 * @throws TypeError if `bytes` is not a Uint8Array.
 * @example
 * import { detectEncoding } from '@haft/sandbox';
 * detectEncoding(new Uint8Array([0xff, 0xfe, 0x41, 0x00])); // => { encoding: 'utf-16le', bom: true }
 */
export function detectEncoding(bytes: Uint8Array): TextFormat {
  checkIs('bytes', bytes, bytesKind);
  if (hasUtf16Mark(bytes)) return { encoding: bytes[0] === 0xff ? 'utf-16le' : 'utf-16be', bom: true };
  if (!isUtf8(bytes)) return { encoding: 'windows-1252', bom: false };
  return { encoding: 'utf-8', bom: bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf };
}

/**
 * Decodes a text in the encoding that `detectEncoding` returns.
 *
 * @throws TypeError if `bytes` is not a Uint8Array.
 * @example
 * import { decodeText } from '@haft/sandbox';
 * decodeText(new Uint8Array([0xef, 0xbb, 0xbf, 0x41])); // => { encoding: 'utf-8', bom: true, text: 'A', lossless: true }
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const format = detectEncoding(bytes);
  const text = decoders[format.encoding](bytes.subarray(format.bom ? bomLength[format.encoding] : 0));
  const lossless = !format.encoding.startsWith('utf-16') || (bytes.length % 2 === 0 && !loneSurrogate.test(text));
  return { ...format, text, lossless };
}

/**
 * Encodes a text in its original format. Returns `UNENCODABLE_TEXT` if the encoding lacks a character or the text
 * contains a lone surrogate; nothing is replaced silently.
 *
 * @throws TypeError if an argument has the wrong type.
 * @example
 * import { encodeText } from '@haft/sandbox';
 * const encoded = encodeText('é', { encoding: 'windows-1252', bom: false });
 * encoded.ok && [...encoded.bytes]; // => [0xe9]
 */
export function encodeText(
  text: string,
  format: TextFormat = { encoding: 'utf-8', bom: false },
): EncodedText | SandboxFailure {
  checkIs('text', text, stringKind);
  checkOptions(format, "{ encoding: 'utf-8', bom: false }", { bom: booleanKind }, 'format');
  const { encoding, bom } = format;
  checkIs('encoding', encoding, encodings);
  const lacking = encoding === 'windows-1252' ? findOutsideWindows1252(text) : loneSurrogate.exec(text)?.[0];
  if (lacking !== undefined) {
    const shown = `U+${lacking.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
    return createFailure(
      'UNENCODABLE_TEXT',
      `${encoding} cannot encode ${shown}`,
      `The file is stored as ${encoding}, which can't represent ${shown}. Write the text without it.`,
    );
  }
  const mark = bom && encoding !== 'windows-1252' ? '\uFEFF' : '';
  return { ok: true, bytes: encoders[encoding](mark + text) };
}

const encodings = oneOf('utf-8', 'utf-16le', 'utf-16be', 'windows-1252');
const loneSurrogate = /\p{Surrogate}/u;
const bomLength: Readonly<Record<TextEncodingName, number>> = {
  'utf-8': 3,
  'utf-16le': 2,
  'utf-16be': 2,
  'windows-1252': 0,
};

// 0x80 to 0x9F, where Windows-1252 differs from Latin-1. Its five unassigned codes map to Latin-1 controls, so that no
// byte is lost.
const windows1252High = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ';
const windows1252Byte: ReadonlyMap<string, number> = new Map(
  windows1252High.split('').map((character, index) => [character, 0x80 + index]),
);

const decoders: Readonly<Record<TextEncodingName, (bytes: Uint8Array) => string>> = {
  'utf-8': (bytes) => viewOf(bytes).toString('utf8'),
  'utf-16le': (bytes) => viewOf(bytes).toString('utf16le'),
  'utf-16be': (bytes) => swapPairs(bytes).toString('utf16le'),
  'windows-1252': (bytes) =>
    viewOf(bytes)
      .toString('latin1')
      .replace(/[\x80-\x9F]/g, (control) => windows1252High[control.charCodeAt(0) - 0x80] ?? control),
};

const encoders: Readonly<Record<TextEncodingName, (text: string) => Uint8Array>> = {
  'utf-8': (text) => Buffer.from(text, 'utf8'),
  'utf-16le': (text) => Buffer.from(text, 'utf16le'),
  'utf-16be': (text) => swapPairs(Buffer.from(text, 'utf16le')),
  'windows-1252': (text) =>
    Uint8Array.from(text, (character) => windows1252Byte.get(character) ?? character.charCodeAt(0)),
};

function findOutsideWindows1252(text: string): string | undefined {
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const fits = code < 0x80 || (code > 0x9f && code < 0x100) || windows1252Byte.has(character);
    if (!fits) return character;
  }
  return undefined;
}

function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function swapPairs(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2))).swap16();
}
