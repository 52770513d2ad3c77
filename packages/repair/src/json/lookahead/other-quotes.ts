import { endsValueAt } from './follows-at.ts';
import type { Machine, StringToken } from '../machine/machine.ts';
import { codeAt } from '../machine/operations.ts';
import { depthAt } from '../machine/string-token.ts';
import { isDigit, isIn, matchEnd } from '../text/characters.ts';
import { afterWhitespace } from '../text/plain-text.ts';
import * as char from '../text/char.ts';

/** `"x", "y"}`, `"x", "size ("inch")": 1`: the string may end before an unusual member. In code, such a quote usually follows `(`, `=`, `:` or `,`. */
const oddMemberPattern = /[^\s"(=:,]"\s*[\]}]*,\s*"\p{L}[^:,{}]{0,200}"\s*[,}:]/uy;

/** `"x":"key":"y"`, `"x"."key":"y"`: another sign stands for a comma. */
const pairPattern = /[^\s"(=:,]"\s*[:.]\s*(?:"[^"\n]{0,200}"\s*[:,}\]]|[\d[{])/uy;

/** `"one", NOTE "two"]`, `"one" two"]`, `"one" as said, "two"]`: words stand between the strings of a list. */
const wordsPattern =
  /[\p{L}.!?]"(?:, \w[\w ]{0,40}"[^"\n]{0,200}| \w{1,40}| [^"\n]{1,100}, "[^\s"][^"\n]{0,200})"\s*[,\]]/uy;

/** `"/tmp/" + name`, `"a" if x else "b"`, `"x"[1:]`: an expression, whose value is not known. */
const operatorPattern =
  /[^\s"(=:,\d]"(?: ?(?:[+*%]|\|\||&&|==|!=) ?(?:["']|[\w.]{1,64} ?[,}\])([+*%\n])| (?:(?:or|and|in|not in) ["']|if [\w.() ]{1,64} else )|\[-?[\d:]|\] ?\+ ?\[)/y;

/** Returns whether a quote that ends no string may have been meant to, so that the rest of the string is uncertain. */
export function isOddEnd(machine: Machine, token: StringToken, at: number): boolean {
  const { text } = machine;
  const isPair = matchEnd(pairPattern, text, at - 1) !== -1 && depthAt(machine, token, at) === 0;
  if (isPair || matchEnd(oddMemberPattern, text, at - 1) !== -1) return true;
  const isFirst = token.role === 'value' && text.indexOf('"', token.begin) === at;
  if (!isFirst) return false;
  if (machine.frame?.kind === 'array' && matchEnd(wordsPattern, text, at - 1) !== -1) return true;
  return matchEnd(operatorPattern, text, at - 1) !== -1;
}

const remarkPattern = /[\p{L}.!?]" ?[-\u2013\u2014([]/uy;

/** `"one" - a remark, "next":`, `"one" [a remark], "next":`: returns whether a remark may follow the first quote in a string. */
export const isBeforeRemark = (text: string, { begin }: StringToken): boolean =>
  matchEnd(remarkPattern, text, text.indexOf('"', begin) - 1) !== -1;

/** Returns whether a curly quote may close a string: others have curly quotes, or none opens in this string. */
export function isCurlyCloser({ repairs, text }: Machine, { begin }: StringToken, at: number): boolean {
  if (/[\w\u201d]/.test(text[at + 1] ?? '')) return false;
  return repairs.some(({ code }) => code === 'smart-quotes') || !/[\u201c\u201e]/.test(text.slice(begin, at));
}

/** Returns the length of another kind of quote that ends a string: `"b”, `, `"b', ` or an escaped one, `"b\", `. Otherwise 0. */
export function wrongCloserLength(machine: Machine, token: StringToken, end: number): number {
  const { text } = machine;
  if (text[end - 1] === '\u201d') return Number(isCurlyCloser(machine, token, end - 1));
  const content = text.slice(token.begin, end);
  // After a number, it may be a mark of feet or inches.
  const [closer] = /(?<=[^\s\d]|\p{L}\S{0,9}\d)'$|(?<=[^\s\d])\\"$/u.exec(content.slice(-14)) ?? [];
  // A stream has already shown an escaped quote.
  if (closer === undefined || (closer !== "'" && !machine.ended)) return 0;
  const quotes = content.match(closer === "'" ? /(?<!\p{L})'|'(?!\p{L})/gu : /(?<!\d)\\"/g) ?? [];
  return quotes.length % 2 === 1 ? closer.length : 0;
}

/** `"say \"hi", `: returns whether a string has opened an escaped quote that a quote at an offset may close. */
export function hasOpenEscape({ text }: Machine, { begin, run }: StringToken, at: number): boolean {
  const content = run > begin ? text.slice(begin, at) : '';
  // After digits only, they may be marks of inches.
  return content.split('\\"').length % 2 === 0 && /(?:^|\D)\\"/.test(content);
}

/** `"x \"y", \"z"`: returns whether the escaped quote that opens a string closes another one in the value before. */
export function isQuoteOfLast({ last, lastStart, text }: Machine, { delimiter, start }: StringToken): boolean {
  if (delimiter.code !== 'escaped-quotes' || last !== 'string' || start - lastStart > 1_000) return false;
  const own = text.startsWith('\\"', lastStart) ? 2 : 0;
  return text.slice(lastStart + own, start).split('\\"').length % 2 === 0;
}

/** `"text"", `: returns whether the closing quote is written twice. After a number, the first may be a mark of inches. */
export function isClosedTwice(machine: Machine, token: StringToken, at: number): boolean {
  const { ended, text } = machine;
  // A stream has already shown the first quote.
  if (!ended || text[at + 1] !== '"' || token.role === 'key' || token.delimiter.open !== '"') return false;
  // `return b""`, `f(a, "")`: an empty string in code.
  const isWord =
    /[\p{L}.!?]$/u.test(text.slice(at - 1, at)) &&
    !/\P{L}[bfru]$/iu.test(text.slice(Math.max(token.begin, at - 2), at));
  return isWord && text[at + 2] !== ')' && endsValueAt(machine, at + 2, true);
}

/** `"cut to 10""`: returns whether the first of two quotes after a number in a text is a mark of inches. */
export function isInchMark(machine: Machine, { begin }: StringToken, after: number, quoteAt: number): boolean {
  const { text } = machine;
  if (text[after] !== '"' || !isDigit(text.charCodeAt(quoteAt - 1))) return false;
  return text.slice(begin, quoteAt).includes(' ') && endsValueAt(machine, after + 1, true);
}

/** `"""Doc."""\nimport os`: returns whether a quote is one of three that no comma or closer follows. */
export function isOfThree(machine: Machine, { delimiter }: StringToken, quoteAt: number): boolean {
  if (delimiter.close !== undefined) return false;
  const { text } = machine;
  let [start, end] = [quoteAt, quoteAt + 1];
  while (start > quoteAt - 3 && text[start - 1] === '"') start -= 1;
  while (end < quoteAt + 4 && codeAt(machine, end) === char.quote) end += 1;
  return end - start === 3 && text[start - 1] !== '\\' && !isIn(',}]', codeAt(machine, afterWhitespace(text, end)));
}
