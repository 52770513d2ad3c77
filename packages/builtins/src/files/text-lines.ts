/** A line of a text, without its line break, and its offset. */
export interface Line {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Matches a line break: a line feed, with or without a carriage return before it. In a text without line feeds, a
 * single carriage return. Every tool of this package counts lines this way.
 */
export function lineBreakOf(text: string): '\n' | '\r' {
  return !text.includes('\n') && text.includes('\r') ? '\r' : '\n';
}

/** Splits a text into lines. A final line break does not start a new line, and an empty text has no lines. */
export function splitLines(text: string): Line[] {
  const lineBreak = lineBreakOf(text);
  const lines: Line[] = [];
  for (let start = 0; start < text.length;) {
    const found = text.indexOf(lineBreak, start);
    const next = found === -1 ? text.length : found + 1;
    let end = found === -1 ? text.length : found;
    if (found !== -1 && lineBreak === '\n' && text.charCodeAt(end - 1) === 13 && end > start) end -= 1;
    lines.push({ text: text.slice(start, end), start, end });
    start = next;
  }
  return lines;
}

/** Returns the number of lines of {@link splitLines}. */
export function countLines(text: string): number {
  const lineBreak = lineBreakOf(text);
  let lines = text === '' || text.endsWith(lineBreak) ? 0 : 1;
  for (let at = text.indexOf(lineBreak); at !== -1; at = text.indexOf(lineBreak, at + 1)) lines += 1;
  return lines;
}

/** Returns the length of the common prefix of two texts. */
export function countEqualHead(one: string, other: string): number {
  const limit = Math.min(one.length, other.length);
  let index = 0;
  for (const block of blocks)
    while (index + block <= limit && one.slice(index, index + block) === other.slice(index, index + block))
      index += block;
  while (index < limit && one.charCodeAt(index) === other.charCodeAt(index)) index += 1;
  return index;
}

/** Block lengths in characters. Comparing blocks is many times faster than comparing single characters. */
const blocks = [16_384, 1_024, 64];

/** Returns the line numbers, starting at 1, of the given offsets, which must be in ascending order. */
export function lineNumbersAt(text: string, indices: readonly number[]): number[] {
  const lineBreak = lineBreakOf(text);
  let line = 1;
  let next = text.indexOf(lineBreak);
  return indices.map((index) => {
    while (next !== -1 && next < index) {
      line += 1;
      next = text.indexOf(lineBreak, next + 1);
    }
    return line;
  });
}

/**
 * Returns the first `maxLength` characters, without splitting a surrogate pair, and a note if characters were omitted.
 */
export function cutLine(text: string, maxLength: number, length: number = text.length): string {
  if (length <= maxLength) return text;
  const splitsPair = (text.charCodeAt(maxLength) & 0xfc00) === 0xdc00;
  const kept = text.slice(0, splitsPair ? maxLength - 1 : maxLength);
  return `${kept}… [line cut, ${length - kept.length} more characters]`;
}
