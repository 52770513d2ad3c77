// Character codes, imported as a namespace: `char.comma`.

/** The code for the end of the text. */
export const end = -1;
export const tab = 0x09;
export const lineFeed = 0x0a;
export const carriageReturn = 0x0d;
export const space = 0x20;
export const quote = 0x22;
export const hash = 0x23;
export const ampersand = 0x26;
export const apostrophe = 0x27;
export const openParen = 0x28;
export const closeParen = 0x29;
export const asterisk = 0x2a;
export const plus = 0x2b;
export const comma = 0x2c;
export const minus = 0x2d;
export const dot = 0x2e;
export const slash = 0x2f;
export const zero = 0x30;
export const nine = 0x39;
export const colon = 0x3a;
export const semicolon = 0x3b;
export const less = 0x3c;
export const equals = 0x3d;
export const greater = 0x3e;
export const openBracket = 0x5b;
export const backslash = 0x5c;
export const closeBracket = 0x5d;
export const caret = 0x5e;
export const underscore = 0x5f;
export const backtick = 0x60;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;
