/**
 * Returns a key that is equal for calls with the same name and arguments, whatever the order of their keys. It is
 * readable text instead of a hash, so different calls never share a key. Returns undefined if the arguments are not
 * JSON.
 *
 * @example
 * import { callSignature } from '@haft/runner';
 * callSignature('add', { a: 1, b: 2 }) === callSignature('add', { b: 2, a: 1 }); // => true
 */
export function callSignature(name: string, args: unknown): string | undefined {
  try {
    return `${name}\0${canonical(args)}`;
  } catch {
    // The arguments are cyclic, nested too deeply, or not JSON.
    return undefined;
  }
}

function canonical(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value)) return `#${value}`;
  if (typeof value !== 'object' || value === null) {
    if (typeof value === 'function' || typeof value === 'symbol') throw new TypeError('not JSON');
    return JSON.stringify(value) ?? 'null';
  }
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw new TypeError('not JSON');
  const record = value as Readonly<Record<string, unknown>>;
  const keys = Object.keys(record).filter((key) => record[key] !== undefined);
  return `{${keys
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(record[key])}`)
    .join(',')}}`;
}
