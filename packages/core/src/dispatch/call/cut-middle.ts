/**
 * Keeps the beginning and the end of a text and inserts a note about the omitted part. Never splits a code point.
 *
 * @param limit UTF-16 code units to keep, excluding the note.
 * @param place where the whole text can be read, if it was kept.
 * @example
 * import { cutMiddle } from '@haft/core/dispatch';
 * cutMiddle('short', 100); // => 'short'
 * cutMiddle('abcdefghij', 4).startsWith('ab'); // => true
 */
export function cutMiddle(text: string, limit: number, place?: string): string {
  if (text.length <= limit) return text;
  const half = Math.floor(limit / 2);
  const headEnd = isLowSurrogate(text, half) ? half - 1 : half;
  const tailStart = isLowSurrogate(text, text.length - half) ? text.length - half + 1 : text.length - half;
  const kept = place === undefined ? '' : `; the whole text is in ${place}`;
  return `${text.slice(0, headEnd)}\n[… ${tailStart - headEnd} characters left out${kept} …]\n${text.slice(tailStart)}`;
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}
