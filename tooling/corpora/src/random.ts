/** A source of numbers that is the same for the same seed on every machine. */
export interface Random {
  /** The row of seeds it belongs to: what its seed says before the first slash. */
  readonly row: string;
  /** A number from 0 up to, not including, 1. */
  next(): number;
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number;
  /** True in so many cases of one. */
  chance(share: number): boolean;
  /** One of the items. Throws when there is none. */
  pick<Item>(items: readonly Item[]): Item;
  /** So many of the items, each at most once, in their order. */
  sample<Item>(items: readonly Item[], count: number): readonly Item[];
}

/** The halves of what there is that two rows of seeds are made of, so that what was studied says nothing of the other. */
const halves: Readonly<Record<string, number>> = { development: 0, 'held-out': 1 };

/** What of the items the row of a source may see: every other one for the two rows above, all of them for any other row. */
export function ofRow<Item>({ row }: Random, items: readonly Item[]): readonly Item[] {
  const half = halves[row];
  return half === undefined || items.length < 4 ? items : items.filter((_, index) => index % 2 === half);
}

/** One of the items that the row of a source may see. */
export function pickOfRow<Item>(random: Random, items: readonly Item[]): Item {
  return random.pick(ofRow(random, items));
}

/** Makes a source of numbers from a text: another text, another row of numbers. */
export function createRandom(seed: string): Random {
  let state = hash(seed);
  const next = (): number => {
    // sfc-like mixing of a 32-bit counter: short, and good enough to choose damages with.
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
