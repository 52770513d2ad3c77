/** A value that JSON can carry. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** An object that JSON can carry. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Tells an object from a list, a scalar and `null`. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
