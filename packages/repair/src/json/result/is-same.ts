import { isJsonObject, type JsonValue } from './json-value.ts';

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
