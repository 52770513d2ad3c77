/**
 * Checks whether a value is an object: not null and not an array.
 *
 * @example
 * import { isRecord } from '@haft/core/options';
 * isRecord({}); // => true
 * isRecord([]); // => false
 */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Checks whether a value has methods with these names.
 *
 * @example
 * import { hasMethods } from '@haft/core/options';
 * hasMethods(new Map(), 'get', 'set'); // => true
 */
export function hasMethods(value: unknown, ...names: readonly string[]): boolean {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  return names.every((name) => typeof (value as Readonly<Record<string, unknown>>)[name] === 'function');
}
