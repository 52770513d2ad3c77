import * as char from './char.ts';
import { isDigit, matchEnd } from './characters.ts';
import { afterWhitespace, beforeWhitespace, closersFrom, plainEnd } from './plain-text.ts';

/** Length up to which `JSON.parse` rejects a text as fast as counting its closers takes. */
const shortLength = 256;
const maxClosers = 16;
/** Few texts open more containers before their first scalar. */
const maxOpeners = 3;
const maxLines = 4;
const lastKeyReach = 600;

/** The characters that can begin a scalar or a list of JSON. */
const beginning = /\[[ \t\r\n]*(?:["{[\]\d-]|true|false|null)|["\d-]|true|false|null/y;
/** The characters that can begin a line of JSON. */
const lineStart = /["{[\]},:\d-]|true|false|null|$/y;

/**
 * Returns whether a text may be JSON, judging by its ends and its first lines. `JSON.parse` takes longer to reject a
 * short text than to read it, so a few characters detect most damage faster. All closers are counted only if some seem to
 * be missing.
 */
export function mayBeJson(text: string): boolean {
  if (isShortLine(text)) return true;
  const begin = afterWhitespace(text, 0);
  const first = text.charCodeAt(begin);
  if (first === char.openBrace) {
    const next = text.charCodeAt(afterWhitespace(text, begin + 1));
    if (next !== char.quote && next !== char.closeBrace) return false;
  } else if (matchEnd(beginning, text, begin) === -1) return false;
  if (first !== char.openBrace && first !== char.openBracket) return true;
  const closers = closersAtEnd(text, first + 2);
  if (closers === 0 || !hasOnlyOuterLineBreaks(text, begin)) return false;
  if (text.length < shortLength || closers > maxOpeners) return true;
  if (closers >= openersFrom(text, begin) || closesLastKey(text, begin)) return true;
  return closersFrom(text, begin) === 0;
}

/** Returns whether a text is a short object on one line, like the arguments of most calls. */
function isShortLine(text: string): boolean {
  const last = text.length - 1;
  return (
    last < shortLength &&
    text.charCodeAt(0) === char.openBrace &&
    text.charCodeAt(1) === char.quote &&
    text.charCodeAt(last) === char.closeBrace &&
    (text.charCodeAt(last - 1) === char.quote ||
      isDigit(text.charCodeAt(last - 1)) ||
      text.charCodeAt(last - 1) === char.closeBracket) &&
    !text.includes('\n')
  );
}

/**
 * Returns whether the last key is closed by as many closers as were open at its first occurrence, if that was near the
 * beginning. With fewer closers, some are probably missing at the end.
 */
function closesLastKey(text: string, begin: number): boolean {
  const colon = text.lastIndexOf('":');
  if (colon <= begin || text.length - colon > lastKeyReach || text[colon - 1] === '\\') return true;
  const open = text.lastIndexOf('"', colon - 1);
  // An escaped quote does not open a key.
  if (text[open - 1] === '\\') return true;
  const first = text.slice(begin, begin + lastKeyReach).indexOf(text.slice(open, colon + 2));
  if (first === -1 || begin + first === open) return true;
  return closersFrom(text, colon + 2) >= openersFrom(text, begin);
}

/** Returns how many containers open before the first item or member value that is not a container. */
function openersFrom(text: string, from: number): number {
  let openers = 0;
  for (let at = from, isValue = false; ; at = afterWhitespace(text, at + 1)) {
    const code = text.charCodeAt(at);
    if (code === char.openBrace || code === char.openBracket) openers += 1;
    else if (code === char.quote && !isValue) {
      at = plainEnd(text, at + 1);
      if (text.charCodeAt(at) !== char.quote) return openers;
    } else if (code !== char.colon) return openers;
    isValue = code === char.colon;
  }
}

/**
 * Returns the number of closers at the end. Returns 0 if the last one does not match the root, or a comma precedes
 * them.
 */
function closersAtEnd(text: string, closer: number): number {
  let last = beforeWhitespace(text, text.length) - 1;
  if (text.charCodeAt(last) !== closer) return 0;
  for (let closers = 1; closers <= maxClosers; closers += 1) {
    last = beforeWhitespace(text, last) - 1;
    const code = text.charCodeAt(last);
    if (code !== char.closeBrace && code !== char.closeBracket) return code === char.comma ? 0 : closers;
  }
  return maxClosers;
}

/** Returns whether the text after the first line breaks can follow a token. Strings contain no line breaks. */
function hasOnlyOuterLineBreaks(text: string, from: number): boolean {
  let at = text.indexOf('\n', from);
  for (let lines = 0; lines < maxLines && at !== -1; lines += 1) {
    const next = afterWhitespace(text, at + 1);
    if (matchEnd(lineStart, text, next) === -1) return false;
    at = text.indexOf('\n', next);
  }
  return true;
}
