/** Assigns equal numbers to equal strings, so that long sequences can be compared quickly. */
export function createNumbering(): (text: string) => number {
  const numbers = new Map<string, number>();
  return (text) => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    numbers.set(text, numbers.size);
    return numbers.size - 1;
  };
}

/**
 * Finds all occurrences of a sequence of numbers in another, including overlapping ones, in linear time (Knuth, Morris,
 * Pratt).
 */
export function findSequence(haystack: Int32Array, needle: Int32Array): number[] {
  const found: number[] = [];
  if (needle.length === 0 || needle.length > haystack.length) return found;
  const borders = new Int32Array(needle.length);
  for (let index = 1, border = 0; index < needle.length; index += 1) {
    while (border > 0 && needle[index] !== needle[border]) border = borders[border - 1]!;
    if (needle[index] === needle[border]) border += 1;
    borders[index] = border;
  }
  for (let index = 0, matched = 0; index < haystack.length; index += 1) {
    while (matched > 0 && haystack[index] !== needle[matched]) matched = borders[matched - 1]!;
    if (haystack[index] === needle[matched]) matched += 1;
    if (matched === needle.length) {
      found.push(index - needle.length + 1);
      matched = borders[matched - 1]!;
    }
  }
  return found;
}
