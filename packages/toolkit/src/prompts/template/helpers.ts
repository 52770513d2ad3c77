/** A function that templates can call. */
export interface Helper {
  /** Minimum and maximum number of arguments. */
  readonly takes: readonly [number, number];
  readonly usage: string;
  run(...values: readonly unknown[]): unknown;
}

/** Formats a value for output: an empty string for null or undefined, strings unchanged, other values as JSON. */
export function printValue(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Checks whether `if` treats a value as true: anything except null, undefined, false, 0 and empty values. */
export function isTrue(value: unknown): boolean {
  return value !== false && value !== 0 && !isEmpty(value);
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

const helper = (usage: string, takes: Helper['takes'], run: Helper['run']): Helper => ({
  usage: `{{ ${usage} }}`,
  takes,
  run,
});
const one = [1, 1] as const;
const two = [2, 2] as const;
const several = [1, 9] as const;

/** The template helpers and the operators for conditions. */
export const helpers: Readonly<Record<string, Helper>> = {
  json: helper('json .value', one, (value) => JSON.stringify(value) ?? 'null'),
  default: helper('default "nothing" .value', two, (fallback, value) => (isEmpty(value) ? fallback : value)),
  join: helper('join .list ", "', two, (first, second) => {
    // In a pipe, the list is the last argument.
    const isPiped = !Array.isArray(first) && (Array.isArray(second) || isEmpty(second));
    const [list, between] = isPiped ? [second, first] : [first, second];
    return (Array.isArray(list) ? list : isEmpty(list) ? [] : [list]).map(printValue).join(printValue(between));
  }),
  upper: helper('upper .text', one, (value) => printValue(value).toUpperCase()),
  lower: helper('lower .text', one, (value) => printValue(value).toLowerCase()),
  trim: helper('trim .text', one, (value) => printValue(value).trim()),
  eq: helper('if eq .a "b"', two, (a, b) => a === b),
  ne: helper('if ne .a "b"', two, (a, b) => a !== b),
  not: helper('if not .a', one, (value) => !isTrue(value)),
  and: helper('if and .a .b', several, (...values) => values.find((value) => !isTrue(value)) ?? values.at(-1)),
  or: helper('if or .a .b', several, (...values) => values.find(isTrue) ?? values.at(-1)),
  len: helper('len .list', one, (value) =>
    typeof value === 'string' ? Array.from(value).length : Object.keys(Object(value)).length,
  ),
};
