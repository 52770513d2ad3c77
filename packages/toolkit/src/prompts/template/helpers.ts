/** Something that a template can be written with. */
export interface Helper {
  /** How many values it takes, at least and at most. */
  readonly takes: readonly [number, number];
  readonly usage: string;
  run(...values: readonly unknown[]): unknown;
}

/** What a value is written as where a template names it: nothing for nothing, text as it is, all else as JSON has it. */
export function printValue(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Whether `if` takes a value for true: anything but nothing, false, 0, and what is empty. */
export function isTrue(value: unknown): boolean {
  return value !== false && value !== 0 && !isEmpty(value);
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

const text = (change: (text: string) => string, name: string): Helper => ({
  takes: [1, 1],
  usage: `{{ ${name} .text }}`,
  run: (value) => change(printValue(value)),
});

/** The six helpers of templates, in the order of their values, and what conditions need. */
export const helpers: Readonly<Record<string, Helper>> = {
  json: { takes: [1, 1], usage: '{{ json .value }}', run: (value) => JSON.stringify(value) ?? 'null' },
  default: {
    takes: [2, 2],
    usage: '{{ default "nothing" .value }}',
    run: (fallback, value) => (isEmpty(value) ? fallback : value),
  },
  join: {
    takes: [2, 2],
    usage: '{{ join .list ", " }}',
    // A pipe brings the list last.
    run: (first, second) => {
      const isPiped = !Array.isArray(first) && (Array.isArray(second) || isEmpty(second));
      const [list, between] = isPiped ? [second, first] : [first, second];
      return (Array.isArray(list) ? list : isEmpty(list) ? [] : [list]).map(printValue).join(printValue(between));
    },
  },
  upper: text((value) => value.toUpperCase(), 'upper'),
  lower: text((value) => value.toLowerCase(), 'lower'),
  trim: text((value) => value.trim(), 'trim'),
  eq: { takes: [2, 2], usage: '{{ if eq .a "b" }}', run: (a, b) => a === b },
  ne: { takes: [2, 2], usage: '{{ if ne .a "b" }}', run: (a, b) => a !== b },
  not: { takes: [1, 1], usage: '{{ if not .a }}', run: (value) => !isTrue(value) },
  and: {
    takes: [1, 9],
    usage: '{{ if and .a .b }}',
    run: (...values) => values.find((value) => !isTrue(value)) ?? values.at(-1),
  },
  or: { takes: [1, 9], usage: '{{ if or .a .b }}', run: (...values) => values.find(isTrue) ?? values.at(-1) },
  len: {
    takes: [1, 1],
    usage: '{{ len .list }}',
    run: (value) =>
      typeof value === 'string'
        ? Array.from(value).length
        : typeof value === 'object' && value !== null
          ? Object.keys(value).length
          : 0,
  },
};
