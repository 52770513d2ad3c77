/** A part of a long text. */
export interface PageWindow {
  readonly text: string;
  readonly from: number;
  /** Where the next part begins; the text's length for the last part. */
  readonly to: number;
}

/** Takes a part that ends at a line end if possible, and never inside a character. */
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
