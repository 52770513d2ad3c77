/** Something that began and may turn out to hold nothing but talk, if it is closed. */
export interface OpenRegion<State> {
  /** Where it began, from the beginning of the message. */
  readonly start: number;
  /** What was known where it began, for reading to go on from there behind it. */
  readonly state: State;
  /** Whether it is reasoning. */
  readonly isReasoning: boolean;
  /** What closes it, and what shows that it is not closed any more. */
  readonly closers: readonly string[];
  readonly barrier: string | undefined;
}

/** How a region ended, and behind what, from the beginning of the message. */
export interface Outcome {
  readonly isClosed: boolean;
  readonly end: number;
}

/** Watches what arrives for the end of a region. `before` is the end of what is there already, and `from` is where it ends. */
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
