import { findNearestNames } from '@haft/core';
import { PermissionError } from './permission-error.ts';

/**
 * Refuses members that nobody reads.
 *
 * @throws PermissionError `INVALID_OPTION`, with the name that was probably meant.
 */
export function refuseUnknown(owner: string, what: string, given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw new PermissionError('INVALID_OPTION', `${owner}: ${describeUnknown(what, unknown, known)}`);
}

/** Says that a name is none of those known, and which was probably meant. */
export function describeUnknown(what: string, unknown: string, known: readonly string[]): string {
  const [nearest] = findNearestNames(unknown, known, 1);
  const meant = nearest === undefined ? '' : `; did you mean ${nearest}?`;
  return `there is no ${what} ${JSON.stringify(unknown)}${meant} (there are ${known.join(', ')})`;
}

/** Whether a value is an object with members. */
export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
