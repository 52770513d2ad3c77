/** A random source that is identical for the same seed on every machine. */
export interface Random {
  /** The range of seeds: the part of the seed before the first slash. */
  readonly row: string;
  /** A number from 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** An integer from `least` to `most`, both included. */
  whole(least: number, most: number): number;
  /** Returns true in one of the given number of cases. */
  chance(share: number): boolean;
  /** Picks one of the items. Throws if the list is empty. */
  pick<Item>(items: readonly Item[]): Item;
  /** Picks the given number of items, each at most once, in their order. */
  sample<Item>(items: readonly Item[], count: number): readonly Item[];
}

/**
 * The two main ranges of seeds use separate halves of the material, so that results on studied texts say nothing about
 * the held-out ones.
 */
const halves: Readonly<Record<string, number>> = { development: 0, 'held-out': 1 };

/** The items that a source's range may use: every other item for the two main ranges, all items for any other range. */
export function ofRow<Item>({ row }: Random, items: readonly Item[]): readonly Item[] {
  const half = halves[row];
  return half === undefined || items.length < 4 ? items : items.filter((_, index) => index % 2 === half);
}

/** Picks one of the items that the range of a source may use. */
export function pickOfRow<Item>(random: Random, items: readonly Item[]): Item {
  return random.pick(ofRow(random, items));
}

/** Creates a random source from a text. A different text gives a different sequence. */
export function createRandom(seed: string): Random {
  let state = hash(seed);
  const next = (): number => {
    // Mixes a 32-bit counter, similar to sfc: short, and good enough to choose damages.
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
  const whole = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items.at(whole(0, items.length - 1));
    if (item === undefined) throw new Error('there is nothing to pick from');
    return item;
  };
  const sample = <Item>(items: readonly Item[], count: number): readonly Item[] => {
    const order = items.map((_, index) => ({ index, rank: next() }));
    const chosen = new Set(
      order
        .toSorted((left, right) => left.rank - right.rank)
        .slice(0, count)
        .map(({ index }) => index),
    );
    return items.filter((_, index) => chosen.has(index));
  };
  return { row: seed.replace(/\/.*/s, ''), next, whole, chance: (share) => next() < share, pick, sample };
}

/** FNV-1a over UTF-16 units. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value;
}
