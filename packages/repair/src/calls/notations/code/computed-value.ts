import type { Shape } from '../../../json/result/declared-shape.ts';
import { execAt, matchEnd } from '../../../json/text/characters.ts';
import { isOnlyNumber, isOnlyText } from '../text-values.ts';
import { readWrittenNumber } from './arithmetic.ts';

/**
 * `3*4` and `$450` for a declared number, or a function for a declared string, up to the comma or the closer. `isListed`
 * returns whether the schema lists a word. Without it, words without quotes are no string.
 */
export function readComputed(
  text: string,
  at: number,
  shape: Shape,
  isListed: ((word: string) => boolean) | undefined,
): { readonly value: string | number; readonly end: number; readonly code: string } | undefined {
  if (isOnlyText(shape, 'json')) {
    const written = (isListed && readWords(text, at, isListed)) ?? readExpression(text, at);
    return written && { ...written, code: 'unquoted-string' };
  }
  if (!isOnlyNumber(shape)) return undefined;
  const found = readWrittenNumber(text, at);
  return found !== undefined && matchEnd(endOfValuePattern, text, found.end) !== -1 ? found : undefined;
}

const endOfValuePattern = /\s*[,)\]]/y;

// A date, a time or words, up to the next argument or the closer.
const wordsPattern =
  /\s*(\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?|\d{1,2}:\d{2}|\p{L}[\p{L}\p{N} '’-]{0,79}?)(?=\s{0,4}(?:,\s{0,4}[A-Za-z_]\w{0,63}\s{0,4}=|\)))/uy;
const literalWordPattern = /^(?:true|false|null|none|undefined|nan)$/i;

/** Reads a value without quotes, `city=New York`: dates, times, words of the schema, and words that are no variable. */
function readWords(
  text: string,
  at: number,
  isListed: (word: string) => boolean,
): { readonly value: string; readonly end: number } | undefined {
  const [, value] = execAt(wordsPattern, text, at) ?? [];
  if (value === undefined || literalWordPattern.test(value)) return undefined;
  return /^[\p{Lu}\d]|[ -]/u.test(value) || isListed(value) ? { value, end: wordsPattern.lastIndex } : undefined;
}

const headPattern =
  /\s*(?:lambda\b[^:\n"'()]{0,99}:|(?:async )?\(?[\w\s,]{0,99}\)?\s?(?:=>|->)|function\s?\w{0,40}\s?\([\w\s,]{0,99}\))/y;

const closerByOpener: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const maxLength = 2_000;

// A formula has a power, a product or a function. A sum of variables is a value of the program instead.
const formulaPattern =
  /^(?=.*(?:\*\*|\^|\d\s?[*/]|\w\())(?=.*[a-z])(?:\b(?:sin|cos|tan|exp|log|ln|sqrt|abs|pi|[a-z])\b|[-+*/^().\d ])+$/;

/** Reads a function or a formula, `lambda x: 3 * x` or `3*x**2`, up to the comma or the bracket after it. */
function readExpression(text: string, from: number): { readonly value: string; readonly end: number } | undefined {
  const head = matchEnd(headPattern, text, from);
  const isFunction = head !== -1;
  const closers: string[] = [];
  let quote = '';
  for (let at = isFunction ? head : from; at < text.length && at - from < maxLength; at += 1) {
    const character = text[at] ?? '';
    if (quote !== '') {
      if (character === '\\') at += 1;
      else if (character === quote) quote = '';
    } else if (`"'\``.includes(character)) {
      if (!isFunction) return undefined;
      quote = character;
    } else if (character in closerByOpener) closers.push(closerByOpener[character] ?? '');
    else if (closers.length === 0 && (character === ',' || character === ')')) {
      const value = text.slice(from, at).trim();
      return isFunction || formulaPattern.test(value) ? { value, end: at } : undefined;
    } else if (')]}'.includes(character) && closers.pop() !== character) return undefined;
  }
  return undefined;
}
