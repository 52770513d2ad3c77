import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  isDigit,
  isWhitespace,
} from './characters.ts';
import { afterWhitespace } from './plain-text.ts';

/**
 * Whether a text may be JSON as far as its ends and its first line breaks tell. `JSON.parse` takes longer to refuse a short
 * text than to read it, so what surely is damaged is better told apart by a few characters.
 */
export function mayBeJson(text: string): boolean {
  const begin = afterWhitespace(text, 0);
  const first = text.charCodeAt(begin);
  if (first === OPEN_BRACE) {
    const next = text.charCodeAt(afterWhitespace(text, begin + 1));
    if (next !== QUOTE && next !== CLOSE_BRACE) return false;
  } else if (first === OPEN_BRACKET) {
    const next = afterWhitespace(text, begin + 1);
    if (!beginsValue(text, next) && text.charCodeAt(next) !== CLOSE_BRACKET) return false;
  } else {
    return beginsValue(text, begin);
  }
  return endsLikeJson(text, first === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET) && hasOnlyOuterLineBreaks(text, begin);
}

const MOST_CLOSERS = 16;

/** Whether the last character closes what the first one opened, and no comma stands before it and the closers in front of it. */
function endsLikeJson(text: string, closer: number): boolean {
  let last = beforeWhitespace(text, text.length - 1);
  if (text.charCodeAt(last) !== closer) return false;
  for (let closers = 0; closers < MOST_CLOSERS; closers += 1) {
    last = beforeWhitespace(text, last - 1);
    const code = text.charCodeAt(last);
    if (code !== CLOSE_BRACE && code !== CLOSE_BRACKET) return code !== COMMA;
  }
  return true;
}

const MOST_LINES = 4;

/** Whether what comes after the first line breaks can come after a token: in strings there are none. */
function hasOnlyOuterLineBreaks(text: string, from: number): boolean {
  let at = text.indexOf('\n', from);
  for (let lines = 0; lines < MOST_LINES && at !== -1; lines += 1) {
    const next = afterWhitespace(text, at + 1);
    if (next < text.length && !beginsValue(text, next) && !isPunctuation(text.charCodeAt(next))) return false;
    at = text.indexOf('\n', next);
  }
  return true;
}

function beginsValue(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code === QUOTE || code === OPEN_BRACE || code === OPEN_BRACKET || code === MINUS || isDigit(code)) return true;
  return text.startsWith('true', at) || text.startsWith('false', at) || text.startsWith('null', at);
}

function isPunctuation(code: number): boolean {
  return code === COMMA || code === COLON || code === CLOSE_BRACE || code === CLOSE_BRACKET;
}

function beforeWhitespace(text: string, from: number): number {
  let at = from;
  while (isWhitespace(text.charCodeAt(at))) at -= 1;
  return at;
}
