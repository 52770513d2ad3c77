/** Text up to a line break, and the line break. The last segment has no line break. */
export interface Segment {
  readonly text: string;
  readonly lineBreak: string;
}

/** Splits a text at `\r\n`, `\n` and lone `\r`. A text with n breaks has n + 1 segments; the last may be empty. */
export function splitSegments(text: string): Segment[] {
  const segments: Segment[] = [];
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code !== 10 && code !== 13) continue;
    const length = code === 13 && text.charCodeAt(index + 1) === 10 ? 2 : 1;
    segments.push({ text: text.slice(start, index), lineBreak: text.slice(index, index + length) });
    start = index + length;
    index = start - 1;
  }
  segments.push({ text: text.slice(start), lineBreak: '' });
  return segments;
}
