import { isRecord } from '@haft/core/options';
/** The first difference between two values. */
export interface Difference {
  /** Such as `$.messages[2].content`. */
  readonly path: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** The marks around untrusted text. They are random, so they are not compared. */
const mark = /outside-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/**
 * Returns the first difference between two JSON values, in the order of the expected one, or undefined if they are
 * equal.
 */
export function findDifference(expected: unknown, actual: unknown, path = '$'): Difference | undefined {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    for (let at = 0; at < Math.max(expected.length, actual.length); at += 1) {
      const found = findDifference(expected[at], actual[at], `${path}[${at}]`);
      if (found) return found;
    }
    return undefined;
  }
  if (isRecord(expected) && isRecord(actual)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      const found = findDifference(expected[key], actual[key], `${path}.${key}`);
      if (found) return found;
    }
    return undefined;
  }
  return toComparable(expected) === toComparable(actual) ? undefined : { path, expected, actual };
}

function toComparable(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(mark, 'outside') : value;
}
