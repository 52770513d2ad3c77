/** A value that JSON can carry. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** An object that JSON can carry. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Returns whether a value is an object: not a list, a scalar or `null`. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns whether two values are equal, regardless of the order of members. */
export function isSame(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  const pairs: [JsonValue | undefined, JsonValue | undefined][] = [[one, other]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [left, right] = pair;
    if (left === right) continue;
    if (Array.isArray(left) && Array.isArray(right)) {
      if (left.length !== right.length) return false;
      for (const [index, item] of (left as readonly JsonValue[]).entries()) pairs.push([item, right[index]]);
    } else if (isJsonObject(left) && isJsonObject(right)) {
      const keys = Object.keys(left);
      if (keys.length !== Object.keys(right).length || !keys.every((key) => Object.hasOwn(right, key))) return false;
      for (const key of keys) pairs.push([left[key], right[key]]);
    } else return false;
  }
  return true;
}

/** Returns whether containers are nested more than `most` levels deep. */
export function isDeeperThan(most: number, value: JsonValue): boolean {
  let level: readonly JsonValue[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    const containers = level.filter((part) => typeof part === 'object' && part !== null);
    if (containers.length > 0 && depth >= most) return true;
    level = containers.flatMap((part) => Object.values(part) as readonly JsonValue[]);
  }
  return false;
}
