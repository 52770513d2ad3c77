/** A region that has begun and contains only prose if it is closed. */
export interface OpenRegion<State> {
  /** Its start, from the beginning of the message. */
  readonly start: number;
  /** The state at its start, from which reading continues after it. */
  readonly state: State;
  /** Whether it is reasoning. */
  readonly isReasoning: boolean;
  /** The texts that close it, and those that show that it will not be closed. */
  readonly closers: readonly string[];
  readonly barrier: string | undefined;
}

/** How a region ended, and the offset after it, from the beginning of the message. */
export interface Outcome {
  readonly isClosed: boolean;
  readonly end: number;
}

/** Searches arriving text for the end of a region. `before` is the end of the existing text, and `from` its offset. */
export function watchRegion(
  needles: readonly string[],
  barrier: string | undefined,
  before: string,
  from: number,
): (piece: string) => Outcome | undefined {
  const reach = Math.max(...needles.map((needle) => needle.length)) - 1;
  let tail = lastOf(before, reach);
  let at = from;
  return (piece) => {
    const sight = tail + piece;
    const begin = at - tail.length;
    let first: Outcome | undefined;
    for (const needle of needles) {
      const found = sight.indexOf(needle);
      if (found === -1) continue;
      const end = begin + found + needle.length;
      if (first === undefined || end < first.end) first = { isClosed: needle !== barrier, end };
    }
    tail = lastOf(sight, reach);
    at += piece.length;
    return first;
  };
}

function lastOf(text: string, length: number): string {
  return length === 0 ? '' : text.slice(-length);
}
