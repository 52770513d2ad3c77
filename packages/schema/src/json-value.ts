import type { JsonType } from './json-schema.ts';

/** A JSON object, read through its own properties only. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object: not an array, not null, not a Date or Map. */
export function isRecord(value: unknown): value is JsonRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Objects from another realm and class instances have their own prototypes. Only exotic containers are refused.
  return prototype === Object.prototype || prototype === null || !isExotic(value);
}

function isExotic(value: object): boolean {
  const tag = Object.prototype.toString.call(value);
  return tag !== '[object Object]';
}

/** Whether an own property has a value. `undefined` counts as absent, as in JSON. */
export function hasValue(record: JsonRecord, key: string): boolean {
  return Object.hasOwn(record, key) && record[key] !== undefined;
}

/** The own keys with a value, in document order. */
export function keysWithValues(record: JsonRecord): string[] {
  return Object.keys(record).filter((key) => record[key] !== undefined);
}

/** Sets an own property with any name; `__proto__` becomes a plain key. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}

/** Returns the JSON type of a value; `undefined` for values that JSON lacks (functions, symbols, NaN, bigint). */
export function jsonTypeOf(value: unknown): Exclude<JsonType, 'integer'> | undefined {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'number':
      return Number.isFinite(value) ? 'number' : undefined;
    case 'object':
      if (value === null) return 'null';
      if (Array.isArray(value)) return 'array';
      return isRecord(value) ? 'object' : undefined;
    default:
      return undefined;
  }
}

/** Whether a value is of a type named by the `type` keyword; `1.0` is an integer, `1.5` is not. */
export function isOfType(value: unknown, type: JsonType): boolean {
  if (type === 'integer') return Number.isInteger(value);
  return jsonTypeOf(value) === type;
}

/** Whether two JSON values are equal; key order does not count, and only own keys do. */
export function isDeepEqual(left: unknown, right: unknown, depth = 0): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (depth > 500) return false;
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => isDeepEqual(item, right[index], depth + 1))
    );
  }
  if (Array.isArray(right) || !isRecord(left) || !isRecord(right)) return false;
  const keys = keysWithValues(left);
  return (
    keys.length === keysWithValues(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isDeepEqual(left[key], right[key], depth + 1))
  );
}
