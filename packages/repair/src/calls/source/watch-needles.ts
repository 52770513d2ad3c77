/** Creates a function that takes the next pieces of a text and returns the first needle that a piece completes. */
export function watchNeedles(
  text: string,
  needles: readonly string[],
): (piece: string) => { readonly needle: string; readonly end: number } | undefined {
  const reach = Math.max(...needles.map((needle) => needle.length)) - 1;
  const lastOf = (sight: string): string => (reach === 0 ? '' : sight.slice(-reach));
  let tail = lastOf(text);
  let at = text.length;
  return (piece) => {
    const sight = tail + piece;
    const begin = at - tail.length;
    const found = needles.flatMap((needle) => {
      const index = sight.indexOf(needle);
      return index === -1 ? [] : [{ needle, end: begin + index + needle.length }];
    });
    tail = lastOf(sight);
    at += piece.length;
    return found.reduce<(typeof found)[0] | undefined>(
      (one, other) => (one && one.end <= other.end ? one : other),
      undefined,
    );
  };
}
