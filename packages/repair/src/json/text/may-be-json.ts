import * as char from './char.ts';
import { isDigit, isWhitespace } from './characters.ts';
import { afterWhitespace } from './plain-text.ts';

/** Where `JSON.parse` takes no longer to refuse a text than a second look at it would take of every text that is JSON. */
const shortLength = 256;

/**
 * Whether a text may be JSON as far as its ends and its first line breaks tell. `JSON.parse` takes longer to refuse a short
 * text than to read it, so what surely is damaged is better told apart by a few characters.
 */
export function mayBeJson(text: string): boolean {
  const begin = afterWhitespace(text, 0);
  const first = text.charCodeAt(begin);
  if (first === char.openBrace) {
    const next = text.charCodeAt(afterWhitespace(text, begin + 1));
    if (next !== char.quote && next !== char.closeBrace) return false;
  } else if (first === char.openBracket) {
    const next = afterWhitespace(text, begin + 1);
    if (!beginsValue(text, next) && text.charCodeAt(next) !== char.closeBracket) return false;
  } else {
    return beginsValue(text, begin);
  }
  const closers = closersAtEnd(text, first === char.openBrace ? char.closeBrace : char.closeBracket);
  if (closers === 0) return false;
  // Compact text, as most services send it, has no space, and what has none hardly ever breaks lines inside strings. To look
  // for one character takes a fraction of what it takes to look for two.
  if (text.includes(' ') && (!hasOnlyOuterLineBreaks(text, begin) || hasInnerQuote(text))) return false;
  return text.length < shortLength || closers >= openersFrom(text, begin) || closesLastKey(text, begin);
}

/** Whether the first quote with a space behind it stands right behind one word and before another, as none does in JSON. */
function hasInnerQuote(text: string): boolean {
  const quote = text.indexOf('" ');
  return quote > 0 && isLetter(text.charCodeAt(quote - 1)) && isLetter(text.charCodeAt(quote + 2));
}

function isLetter(code: number): boolean {
  return code >= 0x61 && code <= 0x7a;
}

const reach = 600;

/**
 * Whether the last key of all is closed by as many closers as stood open where the first value did, if the same key has
 * come near there. Where it is closed by fewer, closers are most likely missing at the end.
 */
function closesLastKey(text: string, begin: number): boolean {
  const colon = text.lastIndexOf('":');
  if (colon <= begin || text.length - colon > reach || text.charCodeAt(colon - 1) === char.backslash) return true;
  const open = text.lastIndexOf('"', colon - 1);
  // An escaped quote opens no key.
  if (text.charCodeAt(open - 1) === char.backslash) return true;
  const key = text.slice(open, colon + 2);
  const first = text.slice(begin, begin + reach).indexOf(key);
  if (first === -1 || begin + first + key.length === colon + 2) return true;
  return closersFrom(text, colon + 2) >= openersFrom(text, begin);
}

/** How many containers are opened before the first item or the first value of a member that is no container. */
function openersFrom(text: string, from: number): number {
  let openers = 0;
  for (let at = from; ; at = afterWhitespace(text, at + 1)) {
    const code = text.charCodeAt(at);
    if (code === char.openBrace || code === char.openBracket) openers += 1;
    else if (code === char.quote) at = text.indexOf('"', at + 1);
    else if (code !== char.colon) return openers;
    if (at === -1) return openers;
  }
}

/** How many more containers are closed than opened from an offset on, strings left aside. */
function closersFrom(text: string, from: number): number {
  let closers = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === char.closeBrace || code === char.closeBracket) closers += 1;
    else if (code === char.openBrace || code === char.openBracket) closers -= 1;
    else if (code === char.quote)
      for (at += 1; at < text.length && text.charCodeAt(at) !== char.quote; at += 1)
        if (text.charCodeAt(at) === char.backslash) at += 1;
  }
  return closers;
}

const maxClosers = 16;

/** How many closers stand at the end; 0 when the last of them does not close what the first character opened, or a comma stands before them. */
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

const maxLines = 4;

/** Whether what comes after the first line breaks can come after a token: in strings there are none. */
function hasOnlyOuterLineBreaks(text: string, from: number): boolean {
  let at = text.indexOf('\n', from);
  for (let lines = 0; lines < maxLines && at !== -1; lines += 1) {
    const next = afterWhitespace(text, at + 1);
    if (next < text.length && !beginsValue(text, next) && !isPunctuation(text.charCodeAt(next))) return false;
    at = text.indexOf('\n', next);
  }
  return true;
}

function beginsValue(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (
    code === char.quote ||
    code === char.openBrace ||
    code === char.openBracket ||
    code === char.minus ||
    isDigit(code)
  )
    return true;
  return text.startsWith('true', at) || text.startsWith('false', at) || text.startsWith('null', at);
}

function isPunctuation(code: number): boolean {
  return code === char.comma || code === char.colon || code === char.closeBrace || code === char.closeBracket;
}

function beforeWhitespace(text: string, from: number): number {
  let at = from;
  while (isWhitespace(text.charCodeAt(at))) at -= 1;
  return at;
}
