import { hasMethods } from './is-record.ts';
import type { OptionFault, OptionKind } from './option-kind.ts';
import { showValue } from './show-option-value.ts';

/** Describes a value that is not of the expected kind. */
export function notValid(path: string, expected: string, value: unknown): OptionFault {
  return { path, problem: `is not valid (expected ${expected}, got ${showValue(value, path)})` };
}

/**
 * Creates a kind from a predicate.
 *
 * @param expected - completes the sentence "expected …".
 * @example
 * import { custom } from '@haft/core/options';
 * custom('an even number', (value) => Number(value) % 2 === 0).expected; // => 'an even number'
 */
export function custom<Value = unknown>(expected: string, isRight: (value: unknown) => boolean): OptionKind<Value> {
  return { expected, findFault: (value, path) => (isRight(value) ? undefined : notValid(path, expected, value)) };
}

/** Any value. */
export const anyKind: OptionKind<unknown> = custom('anything', () => true);
export const stringKind: OptionKind<string> = custom('a string', (value) => typeof value === 'string');
export const nonEmptyStringKind: OptionKind<string> = custom(
  'a string that is not empty',
  (value) => typeof value === 'string' && value !== '',
);
export const booleanKind: OptionKind<boolean> = custom('true or false', (value) => typeof value === 'boolean');
/** A function. Its parameters and return value can't be checked. */
export const functionKind: OptionKind<(...args: never[]) => unknown> = custom(
  'a function',
  (value) => typeof value === 'function',
);
export const abortSignalKind: OptionKind<AbortSignal> = custom('an AbortSignal', (value) =>
  hasMethods(value, 'addEventListener', 'removeEventListener'),
);
/** An absolute path of any operating system: `/a`, `C:\\a`, `\\\\server\\share`. */
export const absolutePathKind: OptionKind<string> = custom('an absolute path', isAbsolutePath);
/** A duration: a number of milliseconds above 0, including `Infinity`. */
export const millisecondsKind: OptionKind<number> = custom('a number of milliseconds above 0', isTimeSpan);

/** Checks whether a value is a number of milliseconds above 0. */
export function isTimeSpan(value: unknown): boolean {
  return typeof value === 'number' && value > 0;
}

/** Checks whether a value is an absolute path of any operating system. */
export function isAbsolutePath(value: unknown): boolean {
  return typeof value === 'string' && /^(?:[/\\]|[A-Za-z]:[/\\])/.test(value);
}

/** Bounds of a number. */
export interface NumberBounds {
  readonly min?: number;
  readonly max?: number;
  /** Exclusive lower bound. */
  readonly above?: number;
}

/**
 * Creates the kind of a number within inclusive bounds. Rejects `NaN`.
 *
 * @example
 * import { numberKind } from '@haft/core/options';
 * numberKind({ min: 0 }).expected; // => 'a number from 0'
 */
export function numberKind(bounds: NumberBounds = {}): OptionKind<number> {
  return custom(`a number${describeBounds(bounds)}`, (value) => typeof value === 'number' && isWithin(value, bounds));
}

/**
 * Creates the kind of an integer within inclusive bounds.
 *
 * @example
 * import { integerKind } from '@haft/core/options';
 * integerKind({ min: 1, max: 8 }).expected; // => 'a whole number from 1 to 8'
 */
export function integerKind(bounds: NumberBounds = {}): OptionKind<number> {
  return custom(
    `a whole number${describeBounds(bounds)}`,
    (value) => Number.isInteger(value) && isWithin(value as number, bounds),
  );
}

function isWithin(value: number, { min = -Infinity, max = Infinity, above }: NumberBounds): boolean {
  return value >= min && value <= max && (above === undefined || value > above);
}

function describeBounds({ min, max, above }: NumberBounds): string {
  const parts = [
    above === undefined ? '' : ` above ${above}`,
    min === undefined ? '' : ` from ${min}`,
    max === undefined ? '' : min === undefined ? ` up to ${max}` : ` to ${max}`,
  ];
  return parts.join('');
}

/** Creates the kind of a string from a fixed set. */
export function oneOf<const Name extends string>(...names: readonly Name[]): OptionKind<Name> {
  const quoted = names.map((name) => JSON.stringify(name));
  const last = quoted.pop() ?? '';
  const expected = quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`;
  return custom(expected, (value) => (names as readonly unknown[]).includes(value));
}

/**
 * Creates the kind of a URL with one of the given protocols, such as `https:`.
 *
 * @example
 * import { urlKind } from '@haft/core/options';
 * urlKind('https:').expected; // => 'the URL of https://…'
 */
export function urlKind(...protocols: readonly string[]): OptionKind<string> {
  const expected = `the URL of ${protocols.map((protocol) => `${protocol}//…`).join(' or ')}`;
  return custom(protocols.length === 0 ? 'a URL' : expected, (value) => {
    if (typeof value !== 'string' || !URL.canParse(value)) return false;
    return protocols.length === 0 || protocols.includes(new URL(value).protocol);
  });
}

/**
 * Creates the kind of an object that is identified by its methods.
 *
 * @param expected - a description, such as `a Map`.
 * @example
 * import { objectWith } from '@haft/core/options';
 * objectWith<Map<string, string>>('a Map', 'get', 'set').findFault(new Map(), 'cache'); // => undefined
 */
export function objectWith<Value extends object>(
  expected: string,
  ...methods: readonly (keyof Value & string)[]
): OptionKind<Value> {
  return custom(expected, (value) => hasMethods(value, ...methods));
}

/**
 * Creates the kind of an instance of a class.
 *
 * @example
 * import { instanceKind } from '@haft/core/options';
 * instanceKind('a Map', Map).expected; // => 'a Map'
 */
export function instanceKind<Value extends object>(
  expected: string,
  type: abstract new (...args: never[]) => Value,
): OptionKind<Value> {
  return custom(expected, (value) => value instanceof type);
}

/**
 * Returns the same kind with another description.
 *
 * @example
 * import { described, integerKind } from '@haft/core/options';
 * described('a port', integerKind({ min: 1, max: 65_535 })).expected; // => 'a port'
 */
export function described<Value>(expected: string, { findFault }: OptionKind<Value>): OptionKind<Value> {
  return {
    expected,
    findFault: (value, path) => {
      const fault = findFault(value, path);
      return fault?.path === path ? notValid(path, expected, value) : fault;
    },
  };
}
