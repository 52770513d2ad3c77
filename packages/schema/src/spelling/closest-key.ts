import { countSlips } from './edit-distance.ts';

/**
 * Removes case, underscores, hyphens and spaces from a key, so that `start_line`, `startLine` and `Start-Line` become
 * equal.
 */
export function foldKey(key: string): string {
  return key.replaceAll(/[-_\s]/g, '').toLowerCase();
}

/** The declared keys of an object, indexed for finding out which key a mistaken key means. */
export interface KeyIndex {
  readonly names: readonly string[];
  /** Returns the declared keys that have the given key as a spelling variant. */
  variantsOf(key: string): readonly string[];
  /**
   * Returns the absent key that a mistaken key most likely means. Returns `undefined` if no key is similar or two are
   * equally similar. A spelling variant comes first, then the fewest typos, at most one per three characters. Compares
   * words until `effort` is used up.
   */
  findClosest(key: string, isAbsent: (name: string) => boolean, effort: Effort): string | undefined;
}

/** Remaining number of word comparisons. Limited, because a value can have any number of mistaken keys. */
export interface Effort {
  comparisons: number;
}

const none: readonly string[] = Object.freeze([]);
const indexes = new WeakMap<object, KeyIndex>();

/** Creates the budget for the mistaken keys of one value. */
export function createEffort(): Effort {
  return { comparisons: 10_000 };
}

/** The index of an object whose keys are the declared ones. Cached per object. */
export function indexOfKeys(properties: object): KeyIndex {
  const known = indexes.get(properties);
  if (known !== undefined) return known;
  const index = createKeyIndex(Object.keys(properties));
  indexes.set(properties, index);
  return index;
}

/** Indexes a list of declared keys. */
export function createKeyIndex(names: readonly string[]): KeyIndex {
  let folds: Map<string, string[]> | undefined;

  function variantsOf(key: string): readonly string[] {
    folds ??= groupByFold(names);
    return folds.get(foldKey(key)) ?? none;
  }

  return {
    names,
    variantsOf,
    findClosest(key, isAbsent, effort) {
      const variants = variantsOf(key).filter(isAbsent);
      if (variants.length > 0) return variants.length === 1 ? variants[0] : undefined;
      const folded = foldKey(key);
      if (folded.length < 3 || folded.length > 64) return undefined;
      let best: string | undefined;
      let bestDistance = Math.floor(folded.length / 3) + 1;
      for (const [other, alike] of folds ?? []) {
        // A word whose length differs this much has more typos.
        if (Math.abs(other.length - folded.length) > bestDistance) continue;
        effort.comparisons -= 1;
        if (effort.comparisons < 0) return undefined;
        const distance = countSlips(folded, other, bestDistance);
        if (distance > bestDistance) continue;
        const absent = alike.filter(isAbsent);
        if (absent.length === 0) continue;
        best = distance < bestDistance && absent.length === 1 ? absent[0] : undefined;
        bestDistance = distance;
      }
      return best;
    },
  };
}

function groupByFold(names: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const fold = foldKey(name);
    const group = groups.get(fold);
    if (group === undefined) groups.set(fold, [name]);
    else group.push(name);
  }
  return groups;
}
