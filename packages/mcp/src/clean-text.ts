/** Terminal sequences: colours, cursor moves, titles. */
// eslint-disable-next-line no-control-regex
const escapeSequences = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;

/** Control characters but tab and line ends; bidirectional overrides; invisible and tag characters, which can carry hidden text. */
// eslint-disable-next-line no-control-regex
const hidden =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/gu;

/** Takes out of remote text what people would not see but a model would read, and what acts on a terminal. */
export function cleanText(text: string): string {
  return text
    .replace(escapeSequences, '')
    .replace(hidden, '')
    .replace(/\p{Surrogate}/gu, '\uFFFD');
}

/** Cleaned, on one line, and no longer than a number of characters: for names in messages. */
export function cleanLine(text: string, maxCharacters: number): string {
  const line = cleanText(text).replace(/\s+/g, ' ').trim();
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters).replace(/[\uD800-\uDBFF]$/, '')}…` : line;
}

/** Cuts a text to a number of UTF-8 bytes, never inside a character. */
export function cutBytes(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const mark = '…';
  const bytes = Buffer.from(text).subarray(0, Math.max(0, maxBytes - Buffer.byteLength(mark)));
  return bytes.toString('utf8').replace(/\uFFFD+$/, '') + mark;
}
