import { matchEnd } from '../text/characters.ts';

// Brackets and braces in prose, and in code in it, that open no value.

/** `see [1]`, `[1](address)` */
const referencePattern = /\[\s*\d+\](?:\(|(?<=[^\n]\[\s*\d+\]))/y;
const lastPattern = /\[\s*\d+\]\W{0,4}$/y;
const answerPattern = /^[^[{]*(?<=^|\n)[^\w[{]{0,4}(?:answer|result|output|response|solution)\W{0,3}[:\uff1a]\W{0,4}$/i;

/** Returns whether a bracket begins a reference in prose. In `Answer: [1]` at the end of a text, it begins a value. */
export function isReference(text: string, at: number): boolean {
  if (matchEnd(referencePattern, text, at) === -1) return false;
  return matchEnd(lastPattern, text, at) === -1 || !answerPattern.test(text.slice(0, at));
}

const bound = /\s?[+-]?\s?(?:\d[\d.]{0,30}|\\?infty|\u221e|inf|[a-z])\s?/.source;

const prosePattern = new RegExp(
  [
    // An index or a type, with more code after it: `list(data["paths"])`, `int[] list)`.
    String.raw`(?<=[\w)])\[(?:[+-]?\w{0,40}|"[^"\n]{0,40}"|'[^'\n]{0,40}')\](?=\)|\.[A-Za-z_]|[ ]?[=+*/]=?[ ]?\w|[ ]\w{1,40}[ ]?[,;)=])`,
    // A link, or the address of one: `[name](address)`, `[name][]`, `[name][address]`.
    String.raw`\[\x60[^\x60\n]{1,100}\x60\](?:\((?=\S)|\[(?:[A-Za-z][\w .-]{0,60})?\])`,
    String.raw`(?<=[a-z\x60)]\])\[(?!true|false|null|True|False|None)(?:[A-Za-z][\w .-]{0,60})?\]`,
    // The address of a note: `[1]: https://…`.
    String.raw`(?<=^|\n)\[\d{1,3}\]:[ \t]{1,9}(?:<?https?:|[.#/])`,
    // A count: `part [7 of 12]:`.
    String.raw`\[\d{1,9} \p{Ll}{1,20}(?: [\p{L}\d]{1,20}){0,5}\]`,
    // An interval: `x in [0, 1)`.
    String.raw`(?<=(?:\b(?:in|on|over|interval|range|domain)|\u2208)\s\$?|\$)\[${bound},${bound}\)`,
    // A box in a list of tasks: `- [ ] Call them`.
    String.raw`(?<=(?:^|\n)[ \t]{0,20}(?:[-*+]|\d{1,3}[.)])[ \t]{1,4})\[[ \t]\][ \t]{1,9}[\p{L}*_\x60[]`,
    // An option of a command: `run [--all]`.
    String.raw`(?<=\w )\[--[\w-]{1,60}(?:[= ][^\],\n]{0,40})?\]`,
    // Brackets of a regular expression: `\[\d+\]`.
    String.raw`(?<=\\)\[\\[dwsDWS][\\\]*+?{]`,
    // A rule of a style sheet, or a type: `body { margin: 0; }`, `Row<T> { rows: T[]; }`.
    String.raw`(?<=[\w)*\]>][ \n]?)\{\s{0,9}(?:[a-zA-Z-]{2,40}[?]?:[^;{}"]{1,99};\s{0,9}){1,20}\}`,
    // A template, or a variable in text: `{{#each rows}}`, `{{/each}}`, `${HOME:-x}`.
    String.raw`(?<=\{)\{[#/^>&~!][A-Za-z_]|(?<=\$)\{(?:[A-Z_][A-Z\d_]{0,60}(?:\}|:[-+?=])|\w{1,60}[.[(])`,
  ].join('|'),
  'uy',
);

/** Returns whether the line around a bracket or brace shows that it opens no value. */
export const isOfProse = (text: string, at: number): boolean =>
  matchEnd(prosePattern, text, at) !== -1 || endsQuotation(text, at);

const begunIndexPattern = /(?<=[\w)])\[(?:[+-]?\w{0,40}|"[^"\n]{0,40}"?|'[^'\n]{0,40}'?)(?:\][^\n]{0,43})?$/y;

/** Returns whether the end of a text that is still growing may be an index. */
export const mayBeIndex = (text: string, at: number): boolean => matchEnd(begunIndexPattern, text, at) !== -1;

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
