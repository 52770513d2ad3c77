import * as char from './char.ts';

/** Returns whether a character is `{`, `[` or `(`. */
export function isOpener(code: number): boolean {
  return code === char.openBrace || code === char.openBracket || code === char.openParen;
}

/** Returns whether a character is `}`, `]` or `)`. */
export function isCloser(code: number): boolean {
  return code === char.closeBrace || code === char.closeBracket || code === char.closeParen;
}

/** Returns whether a character is one of several. The end of the text never is. */
export const isIn = (characters: string, code: number): boolean => characters.includes(String.fromCharCode(code));

/** White space according to JSON. */
export function isWhitespace(code: number): boolean {
  return code === char.space || code === char.lineFeed || code === char.carriageReturn || code === char.tab;
}

export const isDigit = (code: number): boolean => code >= char.zero && code <= char.nine;

export function isHexDigit(code: number): boolean {
  return isDigit(code) || (code >= 0x61 && code <= 0x66) || (code >= 0x41 && code <= 0x46);
}

/** Returns whether a character may begin a name: letters of any script, `_` and `$`. */
export function isNameStart(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    code === char.underscore ||
    code === 0x24 ||
    (code >= 0xc0 && code < 0x2000) ||
    (code >= 0x3040 && code < 0xd800)
  );
}

/** Returns whether a character may continue an unquoted key: also digits, `-` and `.`. */
export function isNamePart(code: number): boolean {
  return isNameStart(code) || isDigit(code) || code === char.minus || code === char.dot;
}

const oddSpaces = new Set([0xfeff, 0x2028, 0x2029, 0x202f, 0x205f, 0x2060, 0x3000]);

/** Returns whether a character is white space that JSON does not allow. */
export function isOddSpace(code: number): boolean {
  if (code < 0x7f) return code === 0x0b || code === 0x0c;
  if (code >= 0x2000) return code <= 0x200f || oddSpaces.has(code);
  return code === 0xa0 || code === 0x85;
}

/** Returns the ASCII character for a full-width one, or for a comma or a semicolon of another script, or the code itself. */
export function toNarrow(code: number): number {
  if (code < 0x37e) return code;
  if (code < 0x3001) return code === 0x60c ? char.comma : code === 0x61b || code === 0x37e ? char.semicolon : code;
  if (code === 0x3001) return char.comma;
  return code >= 0xff01 && code <= 0xff5e ? code - 0xfee0 : code;
}

const simpleEscapes: Readonly<Record<number, string>> = {
  [char.quote]: '"',
  [char.backslash]: '\\',
  [char.slash]: '/',
  0x62: '\b',
  0x66: '\f',
  0x6e: '\n',
  0x72: '\r',
  0x74: '\t',
};

/** Returns the character that a JSON escape of two characters stands for. Returns undefined for other escapes. */
export const simpleEscape = (code: number): string | undefined => simpleEscapes[code];

/** Returns the character with a hexadecimal code. */
export const fromHex = (digits: string): string => String.fromCodePoint(Number.parseInt(digits, 16));

/** Returns whether a character, made narrow, is a sign between a key and its value: `:` or `=`. */
export const isSign = (code: number): boolean => code === char.colon || code === char.equals;

/** The grammar of a number in JSON, as the source of a pattern. */
export const numberSource: string = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`;

/** A short string without inner quotes, a number or a word, as the source of a pattern. */
export const scalarSource: string = /(?:"[^"\n]{0,200}"|-?\d[\d.]{0,30}|true|false|null|True|False|None)/.source;

/** The value of a member: a scalar with a comma or a brace after it, or the beginning of a list or an object. */
export const memberValueSource: string = String.raw`(?:${scalarSource}\s{0,20}[,}]|[[{]\s{0,20}["{[\d-])`;

/** Returns the end of a text up to an offset, moved before the first half of a surrogate pair, whose other half may follow. */
export function wholeEnd(text: string, to: number = text.length): number {
  const last = text.charCodeAt(to - 1);
  return last >= 0xd800 && last < 0xdc00 ? to - 1 : to;
}

/** Returns the match of a sticky pattern at an offset, or the next match of a global one. */
export function execAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Returns the end of a sticky pattern's match at an offset, or -1 if there is no match. */
export function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}
