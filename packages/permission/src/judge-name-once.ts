/** Names that are kept: those of tools and of their arguments are few, and what a model makes up is no reason to keep more. */
const maxNames = 1_000;

/** Remembers what a pattern says of names, since every call asks about the same few. */
export function judgeNameOnce(pattern: RegExp): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    let fits = known.get(name);
    if (fits === undefined) {
      fits = pattern.test(name);
      if (known.size < maxNames && name.length <= 100) known.set(name, fits);
    }
    return fits;
  };
}
