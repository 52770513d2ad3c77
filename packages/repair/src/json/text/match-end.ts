/** Returns the end of a sticky pattern's match at an offset, or -1 if there is no match. */
export function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}
