import { HaftError } from './haft-error.ts';
import { findNearestNames } from './nearest-names.ts';

/**
 * Refuses options that a program got wrong, while the program can still be told.
 * @throws HaftError `INVALID_OPTION`, naming the option, what was expected and what was given.
 */
export function checkOption(owner: string, name: string, isRight: boolean, expected: string, given: unknown): void {
  if (isRight) return;
  throw new HaftError('INVALID_OPTION', `${owner}: ${name} must be ${expected}, not ${show(given)}`);
}

/**
 * Refuses an option that does not exist: misspelt, it would be missed without a word. One that is undefined is none.
 * @throws HaftError `INVALID_OPTION`, with the option that was probably meant.
 */
export function checkOptionNames(owner: string, options: object, known: readonly string[]): void {
  for (const [key, value] of Object.entries(options)) {
    if (value === undefined || known.includes(key)) continue;
    const nearest = findNearestNames(key, known, 1)[0];
    const instead = nearest === undefined ? `its options are ${known.join(', ')}` : `did you mean ${nearest}?`;
    throw new HaftError('INVALID_OPTION', `${owner}: there is no option ${key.slice(0, 60)}; ${instead}`);
  }
}

/** Tells whether a value has methods of these names. */
export function hasMethods(value: unknown, ...names: readonly string[]): boolean {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  return names.every((name) => typeof (value as Readonly<Record<string, unknown>>)[name] === 'function');
}

/** Tells whether a value is a time span: a number of milliseconds above zero. */
export function isTimeSpan(value: unknown): boolean {
  return typeof value === 'number' && value > 0;
}

function show(given: unknown): string {
  if (typeof given === 'string') return JSON.stringify(given.slice(0, 60));
  if (typeof given === 'object' && given !== null) return Array.isArray(given) ? 'a list' : 'an object';
  return typeof given === 'function' ? 'a function' : String(given);
}
