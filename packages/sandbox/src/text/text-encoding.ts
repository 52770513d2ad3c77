import { isUtf8 } from 'node:buffer';
import { aText, bytes as someBytes, checkIs, checkOptions, oneOf, trueOrFalse } from '../check-given.ts';
import { createFailure, type SandboxFailure } from '../sandbox-failure.ts';
import { hasUtf16Mark } from './binary.ts';

/** The encodings texts are read and written in. */
export type TextEncodingName = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** How a text is stored. */
export interface TextFormat {
  readonly encoding: TextEncodingName;
  /** A byte order mark precedes the text. */
  readonly bom: boolean;
}

/** A text, without its byte order mark, and how it was stored. */
export interface DecodedText extends TextFormat {
  readonly text: string;
  /** `encodeText` gives back the very same bytes. False only for broken UTF-16. */
  readonly lossless: boolean;
}

/** Bytes of a text. */
export interface EncodedText {
  readonly ok: true;
  readonly bytes: Uint8Array;
}

/**
 * Says how a text is stored: UTF-8 or UTF-16 by its byte order mark, UTF-8 where every byte fits, else Windows-1252, which
 * holds Latin-1 and fits any bytes.
 *
 * @throws TypeError for what is no Uint8Array.
 */
export function detectEncoding(bytes: Uint8Array): TextFormat {
  checkIs('the bytes', bytes, someBytes);
  if (hasUtf16Mark(bytes)) return { encoding: bytes[0] === 0xff ? 'utf-16le' : 'utf-16be', bom: true };
  if (!isUtf8(bytes)) return { encoding: 'windows-1252', bom: false };
  return { encoding: 'utf-8', bom: bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf };
}

/**
 * Reads a text in the encoding `detectEncoding` finds.
 *
 * @throws TypeError for what is no Uint8Array.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const format = detectEncoding(bytes);
  const text = decoders[format.encoding](bytes.subarray(format.bom ? markLength[format.encoding] : 0));
  const lossless = !format.encoding.startsWith('utf-16') || (bytes.length % 2 === 0 && !loneSurrogate.test(text));
  return { ...format, text, lossless };
}

/**
 * Writes a text the way it was stored. `UNENCODABLE_TEXT` when the encoding lacks one of its characters, or the text has half
 * a surrogate pair: nothing is replaced silently.
 *
 * @throws TypeError for arguments of another type.
 */
export function encodeText(
  text: string,
  format: TextFormat = { encoding: 'utf-8', bom: false },
): EncodedText | SandboxFailure {
  checkIs('the text', text, aText);
  checkOptions(format, "{ encoding: 'utf-8', bom: false }", { bom: trueOrFalse }, 'the format');
  const { encoding, bom } = format;
  checkIs('encoding', encoding, encodings);
  const lacking = encoding === 'windows-1252' ? findOutsideWindows1252(text) : loneSurrogate.exec(text)?.[0];
  if (lacking !== undefined) {
    const shown = `U+${lacking.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
    return createFailure(
      'UNENCODABLE_TEXT',
      `${encoding} has no ${shown}`,
      `The file is stored as ${encoding}, which cannot hold ${shown}. Write the text without it.`,
    );
  }
  const mark = bom && encoding !== 'windows-1252' ? '\uFEFF' : '';
  return { ok: true, bytes: encoders[encoding](mark + text) };
}

const encodings = oneOf('utf-8', 'utf-16le', 'utf-16be', 'windows-1252');
const loneSurrogate = /\p{Surrogate}/u;
const markLength: Readonly<Record<TextEncodingName, number>> = {
  'utf-8': 3,
  'utf-16le': 2,
  'utf-16be': 2,
  'windows-1252': 0,
};

// 0x80 to 0x9F, where Windows-1252 differs from Latin-1. The five free places keep their Latin-1 control, so that no byte is lost.
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
