import * as char from './char.ts';
import { isDigit, matchEnd } from './characters.ts';
import { afterWhitespace, beforeWhitespace, codeBefore } from './plain-text.ts';

/** Maximum length of a short text. */
const shortLength = 256;
const maxLines = 4;

/** The characters that can begin a scalar or a list of JSON. */
const beginning = /\[[ \t\r\n]*(?:["{[\]\d-]|true|false|null)|["\d-]|true|false|null/y;
/** The characters that can begin a line of JSON. */
const lineStart = /["{[\]},:\d-]|true|false|null|$/y;

/**
 * Returns whether a text may be JSON, judging by its ends and its first lines. `JSON.parse` takes longer to reject a
 * short text than to read it, so a few characters detect most damage faster.
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
  const last = beforeWhitespace(text, text.length) - 1;
  if (text.charCodeAt(last) !== first + 2 || codeBefore(text, last) === char.comma) return false;
  return hasOnlyOuterLineBreaks(text, begin);
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
