/** A chunk of a long text. */
export interface PageWindow {
  readonly text: string;
  readonly from: number;
  /** The offset of the next chunk, or the length of the text for the last chunk. */
  readonly to: number;
}

/** Returns a chunk that ends at the end of a line if possible, and never splits a character. */
export function takePart(text: string, offset: number, limit: number): PageWindow {
  const from = isWithinPair(text, offset) ? offset - 1 : Math.min(offset, text.length);
  const most = from + limit;
  if (most >= text.length) return { text: text.slice(from), from, to: text.length };
  const lineEnd = text.lastIndexOf('\n', most - 1) + 1;
  const cut = lineEnd > from + limit / 2 ? lineEnd : most;
  const to = isWithinPair(text, cut) ? cut - 1 : cut;
  return { text: text.slice(from, to), from, to };
}

function isWithinPair(text: string, at: number): boolean {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff;
}
