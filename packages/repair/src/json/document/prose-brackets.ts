import { matchEnd } from '../text/characters.ts';

// Brackets and braces in prose, and in code in it, that open no value.

/** Other text shortly before on the same line, and a space. A label opens a value. */
const inLine = /(?<=\S[^\n]{0,20} \$?)(?<![:=\uff1a]\s{0,3})/.source;

/** `see [1]`, `[1](address)`, `pages [10-12]`. `Answer: [1]` at the end of a text is a value. */
const referencePattern = new RegExp(
  [
    String.raw`(?!(?<=(?:^|\n)\W{0,4}(?:answer|result|output|response|solution)\W{0,3}[:\uff1a]\W{0,4})\[[^[\]]*\]\W{0,4}$)`,
    String.raw`\[\s*\d+(?:\s?[-\u2013]\s?\d+)?\](?:\(|(?<=[^\n]\[[^[\]]*\]))`,
  ].join(''),
  'iy',
);

/** Returns whether a bracket begins a reference in prose. */
export const isReference = (text: string, at: number): boolean => matchEnd(referencePattern, text, at) !== -1;

const bound = /\s?[+-]?\s?(?:\d[\d.]{0,30}|\\?infty|\u221e|inf|[a-z])\s?/.source;

const prosePattern = new RegExp(
  [
    // An index or a type, with more text after it: `list(data["paths"])`, `int[] list`.
    String.raw`(?<=[\w$)])\[\s?(?:[+-]?\w{0,60}|"[^"\n]{0,99}"|'[^'\n]{0,99}')\s?\](?=[^\S\n]{0,9}[^\s;\x60])`,
    // A link, or the address of one: `[name](address)`, `[name][]`, `[name][address]`.
    String.raw`\[[^[\]\n]{0,200}\]\((?=\S)|\[[^[\]"'\d\s{-][^[\]"'\n]{0,200}\]\[[^[\]"'{}\n]{0,60}\]|(?<=[^"'\d\s[\]{}]\])\[[\w .-]{0,60}\]`,
    // A note: `[1] Smith, J.`, `[1]: https://…`.
    String.raw`(?<=^|\n)\[\d{1,3}\]:?[ \t]{1,9}[\p{L}"<]`,
    // The arguments of a call in a sentence: `open({ url: 'x' })` between backticks.
    String.raw`(?<=(?<!\x60)\x60[\w.$ ]{1,60}\()\{\s?[A-Za-z_$]`,
    // An interval: `x in [0, 1)`.
    String.raw`${inLine}\[${bound},${bound}\)`,
    // A box in a list of tasks: `- [ ] Call them`.
    String.raw`(?<=(?:^|\n)[ \t]{0,20}(?:[-*+]|\d{1,3}[.)])[ \t]{1,4})\[[ \t]\][ \t]{1,9}[\p{L}*_\x60[]`,
    // The name of a page or of a gap, of several words: `see [[Start page]]`.
    String.raw`${inLine}\[{2,}(?=[^ [\]]{1,99} )[^[\]{},"'\n]{0,99}\p{L}[^[\]{},"'\n]{0,99}\]{2,}`,
    // A template, or a variable in text: `{{#each rows}}`, `{{/each}}`, `${HOME:-x}`.
    String.raw`(?<=\{)\{[#/^>&~!][A-Za-z_]|(?<=\$)\{\w{1,60}(?:\}|:[-+?=]|[.[(])`,
  ].join('|'),
  'uy',
);

/** Returns whether the line around a bracket or brace shows that it opens no value. */
export const isOfProse = (text: string, at: number): boolean =>
  matchEnd(prosePattern, text, at) !== -1 || endsQuotation(text, at);

/** Returns whether a bracket directly follows a name. The text after it decides whether it is an index. */
export const mayBeIndex = (text: string, at: number): boolean => text[at] === '[' && /[\w$)]/.test(text[at - 1] ?? '');

/** Number of characters after a bracket that show whether it ends a quotation. */
export const quotedEndLength = 3;

const quotedEndPattern = /"(?:[.,;:!?)\n](?!")| [\p{L}\n])/uy;
const maxQuotation = 400;

/** `it begins with "["`: returns whether a bracket is the last character of a quotation in a line of prose. */
export function endsQuotation(text: string, at: number): boolean {
  if (matchEnd(quotedEndPattern, text, at + 1) === -1) return false;
  const line =
    text
      .slice(Math.max(0, at - maxQuotation), at)
      .split('\n')
      .at(-1) ?? '';
  // After a digit, it may be a mark of inches.
  return line.split(/(?<!\d)"/).length % 2 === 0;
}
