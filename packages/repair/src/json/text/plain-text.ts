import * as char from './char.ts';
import { isDigit, isWhitespace, matchEnd } from './characters.ts';

// Functions that recognize usual notation by the characters alone, independent of the open containers. They are called
// for every token and allocate nothing.

/** Returns the first offset from one on that is not white space. */
export function afterWhitespace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isWhitespace(text.charCodeAt(at))) at += 1;
  return at;
}

/** Returns the start of the white space, also of no-break spaces, that ends at an offset. */
export function beforeWhitespace(text: string, from: number): number {
  let end = from;
  while (end > 0 && (isWhitespace(text.charCodeAt(end - 1)) || text.charCodeAt(end - 1) === 0xa0)) end -= 1;
  return end;
}

/** Returns the last character before the white space that ends at an offset. */
export const codeBefore = (text: string, at: number): number => text.charCodeAt(beforeWhitespace(text, at) - 1);

/** Returns whether only spaces precede an offset on its line. */
export function isFirstOnLine(text: string, at: number): boolean {
  let before = at - 1;
  while (text[before] === ' ' || text[before] === '\t') before -= 1;
  return text[before] === '\n';
}

/** Returns the end of plain string content: a double quote, a backslash, a control character, or the end of the text. */
export function plainEnd(text: string, from: number): number {
  const nearEnd = Math.min(text.length, from + near);
  let at = from;
  for (; at < nearEnd; at += 1) {
    const code = text.charCodeAt(at);
    if (code === char.quote || code === char.backslash || code < 0x20) return at;
  }
  // A regular expression searches a long run several times faster than a loop, but takes longer to start.
  return matchEnd(plainPattern, text, at);
}

const near = 64;
/** Matches plain string content. In the short chunks of a stream, faster than the loop of `plainEnd`. */
// eslint-disable-next-line no-control-regex
export const plainPattern: RegExp = /[^"\\\u0000-\u001f]*/y;

/** Returns the end of the number without an exponent at an offset, if its end is clear. Otherwise returns -1. */
export function plainNumberEnd(text: string, from: number): number {
  const begin = text.charCodeAt(from) === char.minus ? from + 1 : from;
  let at = begin;
  while (isDigit(text.charCodeAt(at))) at += 1;
  if (at === begin || (at > begin + 1 && text.charCodeAt(begin) === char.zero)) return -1;
  if (text.charCodeAt(at) === char.dot) {
    const decimals = at + 1;
    at = decimals;
    while (isDigit(text.charCodeAt(at))) at += 1;
    if (at === decimals) return -1;
  }
  return endsToken(text.charCodeAt(at)) ? at : -1;
}

const placeholderPattern = /\{\{?\s?[A-Za-z_][\w .$-]{0,60}\}/y;

/** `{name}`, `{{ name }}`: returns whether a placeholder of a template is at an offset. */
export function isPlaceholder(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  if (next <= char.quote || next === char.closeBrace || text.charCodeAt(at) !== char.openBrace) return false;
  return matchEnd(placeholderPattern, text, at) !== -1;
}

/** Returns the only word of JSON or Python with an initial letter. A table would be slower. */
function wordFrom(first: number): string | undefined {
  if (first === 0x74) return 'true';
  if (first === 0x66) return 'false';
  if (first === 0x6e) return 'null';
  if (first === 0x54) return 'True';
  if (first === 0x46) return 'False';
  return first === 0x4e ? 'None' : undefined;
}

/** Returns the word of JSON or Python at an offset, if its end is clear. */
export function plainWordAt(text: string, at: number): string | undefined {
  const word = wordFrom(text.charCodeAt(at));
  if (word === undefined || !text.startsWith(word, at)) return undefined;
  return endsToken(text.charCodeAt(at + word.length)) ? word : undefined;
}

/** Returns whether a character ends numbers and words in JSON. */
export function endsToken(code: number): boolean {
  return code === char.comma || code === char.closeBrace || code === char.closeBracket || isWhitespace(code);
}

// `\u001b[`, `\x1b[`, `\033[`, `\e[`, or the character itself: the beginning of a terminal colour. The bracket opens
// nothing.
const escapesPattern = /(?:\\(?:u001b|x1b|033|e)|\u001b)$/i;

/** Returns whether the bracket at an offset belongs to a terminal code. */
export function isTerminalCode(text: string, at: number): boolean {
  return escapesPattern.test(text.slice(Math.max(0, at - 6), at));
}

/** Returns how many more containers are closed than opened from an offset on, outside of strings. */
export function closersFrom(text: string, from: number): number {
  let net = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === char.quote) {
      at = unescapedFrom(text, '"', at + 1);
      if (at === -1) return net;
    } else if (code === char.backslash) at += 1;
    else if (code === char.openBrace || code === char.openBracket) net -= 1;
    else if (code === char.closeBrace || code === char.closeBracket) net += 1;
  }
  return net;
}

/** Returns the offset of the next quote without a backslash that escapes it, or -1. */
export function unescapedFrom(text: string, quote: string, from: number): number {
  let at = text.indexOf(quote, from);
  while (at !== -1 && isEscaped(text, at)) at = text.indexOf(quote, at + 1);
  return at;
}

/** Returns whether an odd number of backslashes precedes an offset. */
function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === char.backslash) before -= 1;
  return (at - before) % 2 === 0;
}
