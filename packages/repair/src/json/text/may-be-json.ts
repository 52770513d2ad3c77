import * as char from './char.ts';
import { isWhitespace } from './characters.ts';
import { afterWhitespace } from './plain-text.ts';

/** Length up to which `JSON.parse` refuses a text as fast as a second look at its closers takes. */
const shortLength = 256;
const maxClosers = 16;
const maxLines = 4;
const lastKeyReach = 600;

const beginning = /[ \t\r\n]*(?:\{[ \t\r\n]*["}]|\[[ \t\r\n]*(?:["{[\]\d-]|true|false|null)|["\d-]|true|false|null)/y;
/** What can stand at the beginning of a line of JSON. */
const lineStart = /["{[\]},:\d-]|true|false|null|$/y;
/** A quote in the middle of text. */
const innerQuote = /[a-z]" [a-z]/;

/**
 * Whether a text may be JSON as far as its ends and its first lines show. `JSON.parse` takes longer to refuse a short text
 * than to read it, so most damaged texts are better recognised by a few characters.
 */
export function mayBeJson(text: string): boolean {
  if (!matches(beginning, text, 0)) return false;
  const begin = afterWhitespace(text, 0);
  const first = text.charCodeAt(begin);
  if (first !== char.openBrace && first !== char.openBracket) return true;
  const closers = closersAtEnd(text, first + 2);
  if (closers === 0 || !hasOnlyOuterLineBreaks(text, begin) || innerQuote.test(text.slice(0, shortLength)))
    return false;
  return text.length < shortLength || closers >= openersFrom(text, begin) || closesLastKey(text, begin);
}

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/**
 * Whether the last key of all is closed by as many closers as stood open where the same key came first, if it came near the
 * beginning. If it is closed by fewer, closers are most likely missing at the end.
 */
function closesLastKey(text: string, begin: number): boolean {
  const colon = text.lastIndexOf('":');
  if (colon <= begin || text.length - colon > lastKeyReach || text[colon - 1] === '\\') return true;
  const open = text.lastIndexOf('"', colon - 1);
  // An escaped quote opens no key.
  if (text[open - 1] === '\\') return true;
  const first = text.slice(begin, begin + lastKeyReach).indexOf(text.slice(open, colon + 2));
  if (first === -1 || begin + first === open) return true;
  const behind = text.slice(colon + 2).replaceAll(/"(?:[^"\\]|\\.)*"?/g, '');
  const closers = behind.length - behind.replaceAll(/[}\]]/g, '').length;
  return closers - (behind.length - behind.replaceAll(/[{[]/g, '').length) >= openersFrom(text, begin);
}

/** How many containers are opened before the first item or the first value of a member that is no container. */
function openersFrom(text: string, from: number): number {
  let openers = 0;
  for (let at = from; at !== -1; at = afterWhitespace(text, at + 1)) {
    const code = text.charCodeAt(at);
    if (code === char.openBrace || code === char.openBracket) openers += 1;
    else if (code === char.quote) at = text.indexOf('"', at + 1);
    else if (code !== char.colon) break;
    if (at === -1) break;
  }
  return openers;
}

/** How many closers stand at the end; 0 when the last of them does not fit the root, or a comma stands before them. */
function closersAtEnd(text: string, closer: number): number {
  let last = beforeWhitespace(text, text.length - 1);
  if (text.charCodeAt(last) !== closer) return 0;
  for (let closers = 1; closers <= maxClosers; closers += 1) {
    last = beforeWhitespace(text, last - 1);
    const code = text.charCodeAt(last);
    if (code !== char.closeBrace && code !== char.closeBracket) return code === char.comma ? 0 : closers;
  }
  return maxClosers;
}

/** Whether what comes after the first line breaks can come after a token: in strings there are no line breaks. */
function hasOnlyOuterLineBreaks(text: string, from: number): boolean {
  let at = text.indexOf('\n', from);
  for (let lines = 0; lines < maxLines && at !== -1; lines += 1) {
    const next = afterWhitespace(text, at + 1);
    if (!matches(lineStart, text, next)) return false;
    at = text.indexOf('\n', next);
  }
  return true;
}

function beforeWhitespace(text: string, from: number): number {
  let at = from;
  while (isWhitespace(text.charCodeAt(at))) at -= 1;
  return at;
}
