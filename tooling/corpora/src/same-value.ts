/**
 * Whether two values are the same JSON: own members in any order, members that are `undefined` ignored, numbers by
 * value, `-0` as `0`, inherited members ignored.
 */
export function isSameValue(left: unknown, right: unknown): boolean {
  const open: [unknown, unknown][] = [[left, right]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [one, other] = pair;
    if (one === other || (Number.isNaN(one) && Number.isNaN(other))) continue;
    if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
    if (Array.isArray(one) !== Array.isArray(other)) return false;
    const keys = keysOf(one);
    if (keys.length !== keysOf(other).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(other, key)) return false;
      open.push([(one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]]);
    }
  }
  return true;
}

/** An item that is `undefined` still occupies a position in its list. */
function keysOf(value: object): readonly string[] {
  const keys = Object.keys(value);
  return Array.isArray(value)
    ? keys
    : keys.filter((key) => (value as Readonly<Record<string, unknown>>)[key] !== undefined);
}

/** Returns every string in a value except keys. */
export function stringsOf(value: unknown): readonly string[] {
  const found: string[] = [];
  const open: unknown[] = [value];
  const seen = new Set<unknown>();
  while (open.length > 0) {
    const item = open.pop();
    if (typeof item === 'string') found.push(item);
    else if (typeof item === 'object' && item !== null && !seen.has(item)) {
      seen.add(item);
      open.push(...Object.values(item));
    }
  }
  return found;
}

/** Returns whether a text is valid JSON of this value. */
export function isJsonOf(text: string, value: unknown): boolean {
  return isJson(text) && isSameValue(JSON.parse(text), value);
}

/** Returns whether a text is valid JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
