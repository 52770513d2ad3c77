/**
 * Refuses what is no text where a text has to be, and says which, what was expected and what came instead.
 *
 * @throws TypeError
 */
export function checkText(what: string, value: unknown, example: string): void {
  if (typeof value === 'string') return;
  throw new TypeError(`${what} must be a string such as ${JSON.stringify(example)}, not ${describeGiven(value)}`);
}

/**
 * Refuses roots that are neither a list of strings nor `'unrestricted'`: a single path in their place would be taken apart.
 *
 * @throws TypeError
 */
export function checkRoots(roots: unknown): void {
  if (roots === 'unrestricted') return;
  if (!Array.isArray(roots))
    throw new TypeError(`roots must be a list of absolute paths or 'unrestricted', not ${describeGiven(roots)}`);
  for (const root of roots) checkText('each of the roots', root, '/project');
}

/** What came, in a few words; never its members. */
export function describeGiven(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'number' || typeof value === 'boolean')
    return `${value}`;
  if (typeof value === 'string') return value.length > 60 ? 'another string' : JSON.stringify(value);
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** What a value has to be, and how that is said. */
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

/** One of some texts. */
export function oneOf(...known: readonly string[]): Expectation {
  return { expected: `one of '${known.join("', '")}'`, fits: (value) => known.some((one) => one === value) };
}

/**
 * Refuses a value that is not what it has to be.
 *
 * @throws TypeError naming it, what was expected and what was given.
 */
export function checkIs(what: string, value: unknown, { expected, fits }: Expectation): void {
  if (!fits(value)) throw new TypeError(`${what} must be ${expected}, not ${describeGiven(value)}`);
}

/**
 * Refuses options that are no object, and members of them that are not what they have to be; those that are left out are no concern.
 *
 * @param example - an object that could be given, as it is written.
 * @param others - where a misspelt name would open something: additional known members; all others are refused.
 * @throws TypeError naming the member.
 */
export function checkOptions(
  given: unknown,
  example: string,
  members: Readonly<Record<string, Expectation>>,
  what = 'the options',
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
    throw new TypeError(`${what}: there is no ${JSON.stringify(stray.slice(0, 60))}; there are ${known.join(', ')}`);
}
