import { matchEnd } from '../text/characters.ts';

// Brackets and braces in prose, and in code in it, that open no value.

/** A label or an assignment right before a bracket shows that it opens a value. */
const introduced = /(?<=[:=\uff1a]\s{0,3})/.source;
/** Other text shortly before on the same line, without such a sign. */
const inLine = /(?<=\S[^\n]{0,20})(?<![:=\uff1a]\s{0,3})/.source;

/** `see [1]`, `[1](address)`, `pages [10-12]`. `Answer: [1]` is a value if nothing follows. */
const referencePattern = new RegExp(
  String.raw`(?!${introduced}\[[^[\]]*\]\W{0,3}(?:\n|$))\[\s*\d+(?:\s?[-\u2013]\s?\d+)?\](?:\(|(?<=[^\n]\[[^[\]]*\]))`,
  'y',
);

/** Returns whether a bracket begins a reference in prose. */
export const isReference = (text: string, at: number): boolean => matchEnd(referencePattern, text, at) !== -1;

const bound = /\s*[+-]?\s?(?:\d[\d.]*|\\?infty|\u221e|inf|[a-z])\s*/.source;

const prosePattern = new RegExp(
  [
    // An index or a type, but not the language of a fence: `rows[3]`, `data["paths"]`, `int[] list`.
    String.raw`(?<=[\w$)])(?<!\x60{3}\w{0,10})\[\s*(?:[+-]?\w*|"[^"\n]{0,99}"|'[^'\n]{0,99}')\s*\]`,
    // A link, or the address of one: `[name](address)`, `[name][]`, `[name][address]`.
    String.raw`\[[^[\]\n]{0,200}\]\((?=\S)|\[[^[\]"'\d\s{-][^[\]"'\n]{0,200}\]\[[^[\]"'{}\n]{0,60}\]|(?<=[^"'\d\s[\]{}]\])\[[\w .-]{0,60}\]`,
    // A note: `[1] Smith, J.`, `[1]: https://…`.
    String.raw`(?<=^|\n)\[\d{1,3}\]:?[ \t]+[\p{L}"<]`,
    // The arguments of a call in a sentence: `open({ url: 'x' })` between backticks.
    String.raw`(?<=(?<!\x60)\x60[\w.$ ]{1,60}\()\{\s*[A-Za-z_$]`,
    // An interval: `x in [0, 1)`.
    String.raw`${inLine}\[${bound},${bound}\)`,
    // A box in a list of tasks: `- [ ] Call them`.
    String.raw`(?<=(?:^|\n)[ \t]{0,20}(?:[-*+]|\d{1,3}[.)])[ \t]{1,4})\[[ \t]?\][ \t]+[\p{L}*_\x60[]`,
    // The name of a page or of a gap: `see [[Start page]]`.
    String.raw`${inLine}\[{2,}(?!\s*(?:true|false|null)\b)[^[\]{},"'\n]{0,99}\p{L}[^[\]{},"'\n]{0,99}\]{2,}`,
    // A template, or a variable in text: `{{#each rows}}`, `{{/each}}`, `${HOME:-x}`.
    String.raw`(?<=\{)\{[#/^>&~!][A-Za-z_]|(?<=\$)\{[A-Za-z_]`,
  ].join('|'),
  'uy',
);

/** Several numbers, as in the references of a text. */
const numbersPattern = new RegExp(
  String.raw`${inLine}(?<!\b(?:is|are|list|array) )\[\d{1,3}(?:\s?[,\u2013-]\s?\d{1,3})+\]`,
  'y',
);

/**
 * Returns whether the line around a bracket or brace shows that it opens no value. Several numbers in brackets are
 * references if one number in brackets came before.
 */
export function isOfProse(text: string, at: number): boolean {
  if (matchEnd(prosePattern, text, at) !== -1 || endsQuotation(text, at)) return true;
  return matchEnd(numbersPattern, text, at) !== -1 && /[^\n]\[\d{1,3}\](?![(:])/.test(text.slice(0, at));
}

// A name, or the mark of an item in a list of tasks.
const beforeProsePattern = /[\w$)]$|(?:^|\n)[ \t]{0,20}(?:[-*+]|\d{1,3}[.)])[ \t]{1,4}$/;

/** Returns whether the text before a bracket allows that it is one of prose, as the text after it decides. */
export const mayBeOfProse = (text: string, at: number): boolean =>
  beforeProsePattern.test(text.slice(Math.max(0, at - 32), at));

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
