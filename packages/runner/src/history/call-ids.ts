/** Assigns call ids that are unique in one conversation. */
export interface CallIds {
  /** Returns the wanted id, or a similar one if it is empty or taken. */
  claim(wanted: string): string;
}

/** Creates an empty set of ids. `claim` takes constant time, however often an id repeats. */
export function createCallIds(): CallIds {
  const used = new Set<string>();
  const suffixes = new Map<string, number>();
  return {
    claim(wanted) {
      let id = wanted.trim() === '' ? '' : wanted;
      const base = id === '' ? 'call' : id;
      while (id === '' || used.has(id)) {
        const suffix = (suffixes.get(base) ?? 0) + 1;
        suffixes.set(base, suffix);
        id = `${base}_${suffix}`;
      }
      used.add(id);
      return id;
    },
  };
}
