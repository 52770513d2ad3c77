import { createFreeNames } from './free-names.ts';

const longest = 40;

/** Maps each name to a unique, similar key of the allowed form. */
export function nameKeys(names: readonly string[], allowed: RegExp | undefined): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  if (allowed === undefined) return keys;
  const findFree = createFreeNames(names.filter((name) => allowed.test(name)));
  for (const name of names) {
    if (allowed.test(name)) continue;
    const likeness = name
      .slice(0, 2 * longest)
      .replaceAll(/[^A-Za-z0-9_]+/g, '_')
      .replace(/^(?![A-Za-z_])/, '_')
      .slice(0, longest);
    keys.set(name, findFree(likeness));
  }
  return keys;
}
