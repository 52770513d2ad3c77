/** A stretch of text, in UTF-16 units. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** The text without the spans, which are in order and may repeat or overlap. */
export function removeSpans(text: string, spans: readonly TextSpan[]): string {
  let rest = '';
  let at = 0;
  for (const { start, end } of spans) {
    if (start > at) rest += text.slice(at, start);
    at = Math.max(at, end);
  }
  return rest + text.slice(at);
}

/** Where the next character stands that is not white space. */
export function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \n\t\r'.includes(text[at] ?? '')) at += 1;
  return at;
}

/** Where the line that holds an offset begins. */
export function lineStartOf(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

/** Where the line that holds an offset ends, its line break excluded. */
export function lineEndOf(text: string, at: number): number {
  const found = text.indexOf('\n', at);
  return found === -1 ? text.length : found;
}
