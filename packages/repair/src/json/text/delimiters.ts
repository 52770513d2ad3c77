import * as char from './char.ts';
import { isWhitespace, isIn, matchEnd } from './characters.ts';
import { unescapedFrom } from './plain-text.ts';

/** A notation for strings. */
export interface Delimiter {
  /** The opening delimiter. */
  readonly open: string;
  /** Characters that end the string, or begin `close` if that is longer. */
  readonly closers: readonly [number, number];
  /** The closing delimiter, if it is longer than one character. */
  readonly close?: string;
  /** The name of the repair. Absent for JSON's own delimiter. */
  readonly code?: string;
  /** Whether it may contain line breaks and tabs. */
  readonly isMultiline?: boolean;
  /** Whether a backslash is an ordinary character in it. */
  readonly isRaw?: boolean;
}

const one = (code: number): readonly [number, number] => [code, code];

/** JSON's own `"`. */
export const doubleQuote: Delimiter = { open: '"', closers: one(char.quote) };

/** `""text""`, as exported from a spreadsheet. */
export const doubledQuote: Delimiter = { open: '""', closers: one(char.quote), close: '""', code: 'doubled-quotes' };

/** `''text''`, the same with single quotes. */
export const doubledApostrophe: Delimiter = { ...doubledQuote, open: "''", closers: one(char.apostrophe), close: "''" };

/** `'text'`, as Python and JavaScript write it. */
export const singleQuote: Delimiter = { open: "'", closers: one(char.apostrophe), code: 'single-quotes' };

/** The quotation mark that Gemma writes as a token. */
export const tokenQuote = '<|"|>';

/** All notations except JSON's own. Of two that begin alike, the longer opener comes first. */
const otherDelimiters: readonly Delimiter[] = [
  { open: '<escape>', closers: one(0x3c), close: '<escape>', code: 'token-quotes', isMultiline: true, isRaw: true },
  { open: tokenQuote, closers: one(0x3c), close: tokenQuote, code: 'token-quotes', isMultiline: true, isRaw: true },
  { open: '&quot;', closers: one(0x26), close: '&quot;', code: 'entity-quotes' },
  { open: '"""', closers: one(char.quote), close: '"""', code: 'triple-quotes', isMultiline: true },
  { open: "'''", closers: one(char.apostrophe), close: "'''", code: 'triple-quotes', isMultiline: true },
  { open: '&#34;', closers: one(0x26), close: '&#34;', code: 'entity-quotes' },
  { open: '&#39;', closers: one(0x26), close: '&#39;', code: 'entity-quotes' },
  { open: '\\"', closers: one(0x5c), close: '\\"', code: 'escaped-quotes' },
  { open: "\\'", closers: one(0x5c), close: "\\'", code: 'escaped-quotes' },
  singleQuote,
  { open: '`', closers: [char.backtick, 0xb4], code: 'backtick-quotes', isMultiline: true },
  { open: '\u00b4', closers: [0xb4, char.backtick], code: 'backtick-quotes' },
  { open: '\u201c', closers: [0x201d, 0x201c], code: 'smart-quotes' },
  { open: '\u201d', closers: [0x201d, 0x201c], code: 'smart-quotes' },
  { open: '\u201e', closers: [0x201c, 0x201d], code: 'smart-quotes' },
  { open: '\u2018', closers: [0x2019, 0x2018], code: 'smart-quotes' },
  { open: '\u2019', closers: [0x2019, 0x2018], code: 'smart-quotes' },
  { open: '\u00ab', closers: one(0xbb), code: 'smart-quotes' },
  { open: '\uff02', closers: one(0xff02), code: 'full-width' },
];

const first = new Map<number, Delimiter[]>();
for (const delimiter of otherDelimiters) {
  const code = delimiter.open.charCodeAt(0);
  first.set(code, [...(first.get(code) ?? []), delimiter]);
}

/** Returns the delimiter that opens at an offset, except a plain `"`. */
export function otherDelimiterAt(text: string, at: number): Delimiter | undefined {
  return first.get(text.charCodeAt(at))?.find((delimiter) => text.startsWith(delimiter.open, at));
}

/** Returns whether a character may open a string in any notation. */
export function mayOpenString(code: number): boolean {
  return code < 0x7f ? code === char.quote || code === char.apostrophe || code === char.backtick : first.has(code);
}

/** Returns the delimiter at an offset where a string is known to open. */
export function delimiterAt(text: string, at: number): Delimiter {
  if (text.charCodeAt(at) !== char.quote) return otherDelimiterAt(text, at) ?? doubleQuote;
  if (text.charCodeAt(at + 1) !== char.quote) return doubleQuote;
  if (isEmptyDoubled(text, at)) return doubledQuote;
  if (text.charCodeAt(at + 2) === char.quote) return otherDelimiterAt(text, at) ?? doubleQuote;
  return isDoubledQuoteAt(text, at) ? doubledQuote : doubleQuote;
}

/** Returns whether a character after two quotes shows that they are an empty string. */
export const followsEmptyString = (code: number): boolean => isWhitespace(code) || isIn(',:}]', code);

const emptyDoubledPattern = /(?<=""\s{0,9}[:,[]\s{0,9})""""(?=\s{0,9}[,}\]])/y;

/** `""a"": """",`: returns whether four quotes after a string in doubled quotes are an empty one. */
const isEmptyDoubled = (text: string, at: number): boolean => matchEnd(emptyDoubledPattern, text, at) !== -1;

/** Returns whether two quotes open a string instead of being an empty one: text follows them, and two more quotes. */
export function isDoubledQuoteAt(text: string, at: number): boolean {
  if (isEmptyDoubled(text, at)) return true;
  const quote = text[at] ?? '"';
  const next = text.charCodeAt(at + 2);
  const isText = next > char.space && next !== text.charCodeAt(at) && !followsEmptyString(next);
  return isText && text.startsWith(quote + quote, unescapedFrom(text, quote, at + 2));
}

const prefixPattern = /^(?:[ubrf]|rb|br|rf|fr)$/i;

/** Returns whether a word is what Python writes directly before a string: `r"\d"`. */
export const isStringPrefix = (word: string): boolean => prefixPattern.test(word);
