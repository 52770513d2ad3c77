import { findNearestNames } from '@haft/core';
import { BuiltinsError } from './builtins-error.ts';

/**
 * Refuses an argument that is no object, and members that nobody reads.
 *
 * @throws BuiltinsError `INVALID_OPTION`.
 */
export function checkNames(owner: string, given: object, known: readonly string[]): void {
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
  checkOption(owner, 'its argument', isObject, 'an object, or left out', given);
  const unknown = Object.keys(given).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const [nearest] = findNearestNames(unknown, known, 1);
  const meant = nearest === undefined ? '' : `; did you mean ${nearest}?`;
  throw new BuiltinsError(
    'INVALID_OPTION',
    `${owner}: there is no option ${JSON.stringify(unknown)}${meant} (there are ${known.join(', ')})`,
  );
}

/**
 * Refuses an option that has not the form it must have.
 *
 * @throws BuiltinsError `INVALID_OPTION`.
 */
export function checkOption(owner: string, name: string, isRight: boolean, expected: string, given: unknown): void {
  if (isRight) return;
  throw new BuiltinsError('INVALID_OPTION', `${owner}: ${name} must be ${expected}, not ${showGiven(given)}`);
}

export function showGiven(given: unknown): string {
  if (typeof given === 'string') return JSON.stringify(given.slice(0, 60));
  if (typeof given === 'object' && given !== null) return Array.isArray(given) ? 'a list' : 'an object';
  return typeof given === 'function' ? 'a function' : String(given);
}
