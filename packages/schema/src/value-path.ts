/**
 * A path in a value, as a linked list from a member up to the root, so that walking creates no strings. `undefined` is
 * the root.
 */
export interface Place {
  readonly parent: Place | undefined;
  readonly key: string | number;
}

const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Renders keys as a path from `$`: `$.items[2].name`. Keys that are not identifiers are quoted: `$["a b"]`. */
export function formatPath(keys: readonly (string | number)[]): string {
  let path = '$';
  for (const key of keys) {
    if (typeof key === 'number') path += `[${key}]`;
    else path += identifier.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
  }
  return path;
}

/** Returns the keys from the root to a path. */
export function keysOf(place: Place | undefined): (string | number)[] {
  const keys: (string | number)[] = [];
  for (let at = place; at !== undefined; at = at.parent) keys.unshift(at.key);
  return keys;
}
