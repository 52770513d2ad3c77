/** Most values of arguments that are looked at; a list beyond it counts as one that holds options. */
const maxValues = 100_000;

/**
 * Finds a text of the model's that a program would take for an option: one of the values in its arguments that begins with
 * `-` and stands in the program's arguments as it is, with no `--` before it.
 */
export function findOptionValue(list: readonly string[], args: unknown): string | undefined {
  const end = list.indexOf('--');
  const options = new Set(
    (end === -1 ? list : list.slice(0, end)).filter((text) => text.startsWith('-') && text !== '-'),
  );
  if (options.size === 0) return undefined;
  const left: unknown[] = [args];
  for (let seen = 0; left.length > 0; seen += 1) {
    const value = left.pop();
    if (typeof value === 'string' && options.has(value)) return value;
    if (typeof value === 'number' && options.has(String(value))) return String(value);
    if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) left.push(inner);
    if (seen > maxValues) return [...options][0];
  }
  return undefined;
}
