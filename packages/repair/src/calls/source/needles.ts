/** The first of several needles and its offset, which is -1 if the text holds no needle. */
export interface FoundNeedle {
  readonly at: number;
  readonly needle: string;
}

/** A needle, its offset and its end. */
interface NeedleSpan extends FoundNeedle {
  readonly end: number;
}

/** Returns whether the text ends with the beginning of another needle, which would come before the one found. */
export function mayComeEarlier(text: string, needles: readonly string[], from: number, first: FoundNeedle): boolean {
  for (const needle of needles) {
    for (let at = Math.max(from, text.length - needle.length + 1); at <= first.at; at += 1) {
      if (needle.startsWith(text.slice(at))) return true;
    }
  }
  return false;
}

/**
 * Creates a function that takes the chunks of a text from an offset on, and returns the needles that each completes, in
 * the order of their ends. `before`: the text before the first chunk.
 */
export function watchNeedles(
  needles: readonly string[],
  from: number,
  before = '',
): (chunk: string) => readonly NeedleSpan[] {
  const reach = Math.max(1, ...needles.map(({ length }) => length)) - 1;
  const lastOf = (text: string): string => text.slice(Math.max(0, text.length - reach));
  let tail = lastOf(before);
  let offset = from;
  return (chunk) => {
    const sight = tail + chunk;
    const spans: NeedleSpan[] = [];
    for (const needle of needles) {
      const first = sight.indexOf(needle, Math.max(0, tail.length - needle.length + 1));
      for (let next = first; next !== -1; next = sight.indexOf(needle, next + 1)) {
        const found = offset - tail.length + next;
        spans.push({ needle, at: found, end: found + needle.length });
      }
    }
    tail = lastOf(sight);
    offset += chunk.length;
    return spans.sort((one, other) => one.end - other.end);
  };
}
