import type { Source } from './envelope.ts';

/** `indexOf` over the source's text that remembers its last answer, so that asking again from further on stays linear. */
export function findNext(source: Source, needle: string, from: number): number {
  const known = source.finds.get(needle);
  if (known !== undefined && from >= known.from && (known.found === -1 || from <= known.found)) return known.found;
  const found = source.text.indexOf(needle, from);
  source.finds.set(needle, { from, found });
  return found;
}

/** Where the first of several needles stands, or -1. */
export function firstOf(source: Source, needles: readonly string[], from: number): { at: number; length: number } {
  let first = { at: -1, length: 0 };
  for (const needle of needles) {
    const at = findNext(source, needle, from);
    if (at !== -1 && (first.at === -1 || at < first.at)) first = { at, length: needle.length };
  }
  return first;
}
