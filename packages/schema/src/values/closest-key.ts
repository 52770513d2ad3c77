import { countSlips } from './count-slips.ts';

/** A key with case, underscores, hyphens and spaces taken out: `start_line`, `startLine` and `Start-Line` fold alike. */
export function foldKey(key: string): string {
  return key.replaceAll(/[-_\s]/g, '').toLowerCase();
}

/** The declared keys of an object, prepared for finding out what a mistaken key means. */
export interface KeyIndex {
  readonly names: readonly string[];
  /** The declared keys that a key is another spelling of. */
  variantsOf(key: string): readonly string[];
  /**
   * The one absent key that a mistaken key most likely means, or `undefined` when none is near or two are equally near.
   * A spelling variant wins; then the fewest typing slips, at most one for every three characters. Words are compared as
   * long as `effort` lasts.
   */
  findClosest(key: string, isAbsent: (name: string) => boolean, effort: Effort): string | undefined;
}

/** How many more words may be compared: a value can have any number of mistaken keys. */
export interface Effort {
  comparisons: number;
}

const none: readonly string[] = Object.freeze([]);
const indexes = new WeakMap<object, KeyIndex>();

/** The effort that the mistaken keys of one value are worth. */
export function createEffort(): Effort {
  return { comparisons: 10_000 };
}

/** The index of an object whose keys are the declared ones. Made once for an object. */
export function indexOfKeys(properties: object): KeyIndex {
  const known = indexes.get(properties);
  if (known !== undefined) return known;
  const index = createKeyIndex(Object.keys(properties));
  indexes.set(properties, index);
  return index;
}

/** Prepares a list of declared keys. */
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
        // A word that differs this much in length is further away than that.
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
