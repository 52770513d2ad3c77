/** A random source that is identical for the same seed. */
export interface Random {
  /** An integer from 0 (inclusive) to `below` (exclusive). */
  readonly below: (limit: number) => number;
  /** Returns true in one of the given number of cases. */
  readonly chance: (share: number) => boolean;
  readonly pick: <Item>(items: readonly Item[]) => Item;
}

/** Creates a random source from a seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items.at(below(items.length));
    if (item === undefined) throw new Error('there is nothing to pick from');
    return item;
  };
  return { below, chance: (share) => next() < share, pick };
}
