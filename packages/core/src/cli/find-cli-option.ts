/** Maximum number of argument values to inspect. A longer list counts as one that contains options. */
const maxValues = 100_000;

/**
 * Finds a model-written value that a program would treat as an option: a value that begins with `-` and appears
 * unchanged in the program's arguments, without a preceding `--`.
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
