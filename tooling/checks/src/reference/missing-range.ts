/** Reasons for features that have one in common, by their numbers: `missingRange('Z', 'not walked yet', [1, 3, [5, 9]])`. */
export function missingRange(
  letter: string,
  reason: string,
  numbers: readonly (number | readonly [from: number, to: number])[],
): Readonly<Record<string, string>> {
  const all = numbers.flatMap((each) =>
    typeof each === 'number' ? [each] : Array.from({ length: each[1] - each[0] + 1 }, (_, index) => each[0] + index),
  );
  return Object.fromEntries(all.map((number) => [`${letter}${number}`, reason]));
}
