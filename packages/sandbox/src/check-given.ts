/**
 * Refuses a value that is not a string. The error names the option, an example and the kind of the given value.
 *
 * @throws TypeError
 */
export function checkText(what: string, value: unknown, example: string): void {
  if (typeof value === 'string') return;
  throw new TypeError(
    `${what}: invalid (expected a string such as ${JSON.stringify(example)}, got ${describeGiven(value)})`,
  );
}

/**
 * Refuses roots that are neither an array of strings nor `'unrestricted'`. A single path, for example, would be read as
 * an array of characters.
 *
 * @throws TypeError
 */
export function checkRoots(roots: unknown): void {
  if (roots === 'unrestricted') return;
  if (!Array.isArray(roots))
    throw new TypeError(
      `roots: invalid (expected an array of absolute paths or 'unrestricted', got ${describeGiven(roots)})`,
    );
  for (const root of roots) checkText('roots', root, '/project');
}

/** Returns the kind of a value in a few words, never its members. */
export function describeGiven(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'number' || typeof value === 'boolean')
    return `${value}`;
  if (typeof value === 'string') return value.length > 60 ? 'another string' : JSON.stringify(value);
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** The valid values, and their description in an error. */
export interface Expectation {
  readonly expected: string;
  readonly fits: (value: unknown) => boolean;
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === 'string');
const isBytes = (value: unknown): boolean => value instanceof Uint8Array;

export const stringKind: Expectation = { expected: 'a string', fits: (value) => typeof value === 'string' };
export const stringsKind: Expectation = { expected: 'a list of strings', fits: isTexts };
export const bytesKind: Expectation = { expected: 'a Uint8Array', fits: isBytes };
export const stringOrBytesKind: Expectation = {
  expected: 'a string or bytes',
  fits: (value) => typeof value === 'string' || isBytes(value),
};
export const objectKind: Expectation = { expected: 'an object', fits: isObject };
export const booleanKind: Expectation = { expected: 'true or false', fits: (value) => typeof value === 'boolean' };
export const amountKind: Expectation = {
  expected: 'a number from 0',
  fits: (value) => typeof value === 'number' && value >= 0,
};
export const numberKind: Expectation = {
  expected: 'a number',
  fits: (value) => typeof value === 'number' && !Number.isNaN(value),
};
export const functionKind: Expectation = { expected: 'a function', fits: (value) => typeof value === 'function' };
export const abortSignalKind: Expectation = {
  expected: 'an AbortSignal',
  fits: (value) => typeof value === 'object' && value !== null && 'addEventListener' in value,
};

/** Accepts one of the given strings. */
export function oneOf(...known: readonly string[]): Expectation {
  return { expected: `one of '${known.join("', '")}'`, fits: (value) => known.some((one) => one === value) };
}

/**
 * Checks one value.
 *
 * @throws TypeError that names the value, the expected and the given value.
 */
export function checkIs(what: string, value: unknown, { expected, fits }: Expectation): void {
  if (!fits(value)) throw new TypeError(`${what}: invalid (expected ${expected}, got ${describeGiven(value)})`);
}

/**
 * Checks that options are an object and that their members are valid. Missing members are valid.
 *
 * @param example - the source of a valid object.
 * @param others - further known members. If given, unknown members are rejected, because a misspelt one could weaken a restriction.
 * @throws TypeError naming the member.
 */
export function checkOptions(
  given: unknown,
  example: string,
  members: Readonly<Record<string, Expectation>>,
  what = 'options',
  others?: readonly string[],
): void {
  checkIs(what, given, { expected: `an object such as ${example}`, fits: isObject });
  const options = given as Readonly<Record<string, unknown>>;
  for (const [name, expectation] of Object.entries(members)) {
    const value = options[name];
    if (value !== undefined) checkIs(name, value, expectation);
  }
  if (others === undefined) return;
  const known = [...others, ...Object.keys(members)];
  const stray = Object.keys(options).find((name) => options[name] !== undefined && !known.includes(name));
  if (stray !== undefined)
    throw new TypeError(
      `${what}: unknown option ${JSON.stringify(stray.slice(0, 60))} (expected one of ${known.join(', ')})`,
    );
}
