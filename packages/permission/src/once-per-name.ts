/**
 * Maximum number of cached names. Tools and their arguments have few names; names that a model invents must not grow
 * the cache.
 */
const maxNames = 1_000;

/** Returns a test that caches its result for each name, because every call tests the same few names. */
export function oncePerName(test: (name: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    let fits = known.get(name);
    if (fits === undefined) {
      fits = test(name);
      if (known.size < maxNames && name.length <= 100) known.set(name, fits);
    }
    return fits;
  };
}
