/** Stands for "the text ends here" where a character code is expected. */
export const END = -1;

export const TAB = 0x09;
export const LINE_FEED = 0x0a;
export const CARRIAGE_RETURN = 0x0d;
export const SPACE = 0x20;
export const QUOTE = 0x22;
export const HASH = 0x23;
export const AMPERSAND = 0x26;
export const APOSTROPHE = 0x27;
export const OPEN_PAREN = 0x28;
export const CLOSE_PAREN = 0x29;
export const ASTERISK = 0x2a;
export const PLUS = 0x2b;
export const COMMA = 0x2c;
export const MINUS = 0x2d;
export const DOT = 0x2e;
export const SLASH = 0x2f;
export const ZERO = 0x30;
export const NINE = 0x39;
export const COLON = 0x3a;
export const SEMICOLON = 0x3b;
export const LESS = 0x3c;
export const EQUALS = 0x3d;
export const GREATER = 0x3e;
export const OPEN_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_BRACKET = 0x5d;
export const UNDERSCORE = 0x5f;
export const BACKTICK = 0x60;
export const OPEN_BRACE = 0x7b;
export const BAR = 0x7c;
export const CLOSE_BRACE = 0x7d;

/** JSON's own white space. */
export function isWhitespace(code: number): boolean {
  return code === SPACE || code === LINE_FEED || code === CARRIAGE_RETURN || code === TAB;
}

export function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

export function isHexDigit(code: number): boolean {
  return isDigit(code) || (code >= 0x61 && code <= 0x66) || (code >= 0x41 && code <= 0x46);
}

/** A character that may begin a name: letters of any script, `_` and `$`. */
export function isNameStart(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    code === UNDERSCORE ||
    code === 0x24 ||
    (code >= 0xc0 && code < 0x2000) ||
    (code >= 0x3040 && code < 0xd800)
  );
}

/** A character that may continue a name, as keys are written without quotes: also digits, `-` and `.`. */
export function isNamePart(code: number): boolean {
  return isNameStart(code) || isDigit(code) || code === MINUS || code === DOT;
}

/** The ASCII character that a full-width one stands for, or the code itself. */
export function toNarrow(code: number): number {
  return code >= 0xff01 && code <= 0xff5e ? code - 0xfee0 : code;
}
