/**
 * The most steps that matching a pattern can take at one place of a text, or infinity when that can't be told by a glance:
 * with anything that repeats, groups, looks around or refers back. Each `?` doubles the ways through its alternative.
 */
export function stepsOfPattern(source: string): number {
  let total = 0;
  let atoms = 0;
  let ways = 1;
  for (let index = 0; index < source.length; index += 1) {
    const character = source[index]!;
    if ('*+{()'.includes(character)) return Infinity;
    if (character === '?') ways *= 2;
    else if (character === '|') {
      total += (atoms + 1) * ways;
      atoms = 0;
      ways = 1;
    } else {
      const end =
        character === '\\' ? endOfEscape(source, index) : character === '[' ? endOfClass(source, index) : index;
      if (end === undefined) return Infinity;
      index = end;
      atoms += 1;
    }
  }
  return total + (atoms + 1) * ways;
}

/** The last index of an escape that stands for one character or place; undefined for one that refers back. */
function endOfEscape(source: string, index: number): number | undefined {
  if (/^\\[1-9k]/.test(source.slice(index, index + 2))) return undefined;
  const long = /^\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|u\{[0-9A-Fa-f]{1,6}\}|c[A-Za-z]|[pP]\{[^}]{1,40}\})/.exec(
    source.slice(index, index + 50),
  );
  return index + (long?.[0].length ?? 2) - 1;
}

function endOfClass(source: string, open: number): number | undefined {
  for (let index = open + 1; index < source.length; index += 1) {
    if (source[index] === '\\') index += 1;
    else if (source[index] === ']') return index;
  }
  return undefined;
}
