import { cleanText } from '@haft/sandbox';

/** Cleans text, joins it to one line and cuts it to a number of characters. Used for names in messages. */
export function cleanLine(text: string, maxCharacters: number): string {
  const line = cleanText(text).replace(/\s+/g, ' ').trim();
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters).replace(/[\uD800-\uDBFF]$/, '')}…` : line;
}

/** Cuts text to a number of UTF-8 bytes without splitting a character. */
export function cutBytes(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const mark = '…';
  const bytes = Buffer.from(text).subarray(0, Math.max(0, maxBytes - Buffer.byteLength(mark)));
  return bytes.toString('utf8').replace(/\uFFFD+$/, '') + mark;
}
