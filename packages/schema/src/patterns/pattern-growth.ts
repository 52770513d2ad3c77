import type { CharacterRange, PatternTree } from './pattern-tree.ts';
import { parsePattern } from './pattern-tree.ts';
import { buildPositions } from './pattern-positions.ts';
import { findComponents, overlaps } from './pattern-safety.ts';

const maxPositions = 400;

/**
 * How the time of a backtracking engine grows with the text: linearly, or at most with this power of its length. An
 * upper bound: a pattern is linear if it starts at the beginning of the text and no two consecutive loops can read the
 * same character, or if it has no loop.
 */
export function measureGrowth(source: string): 'linear' | number {
  const { tree, lookarounds, hasReference } = parsePattern(source);
  const loops = [tree, ...lookarounds].map(countLoops);
  const count = loops.reduce((sum, found) => sum + found.count, 0);
  if (count === 0 && !hasReference) return 'linear';
  const isAnchored = startsAnchored(tree);
  const areApart = loops.every((found) => found.areApart);
  if (isAnchored && areApart && lookarounds.length === 0 && !hasReference) return 'linear';
  return count + (isAnchored ? 0 : 1) + (hasReference ? 1 : 0);
}

/** Whether every match starts at the beginning of the text. */
function startsAnchored(tree: PatternTree): boolean {
  switch (tree.kind) {
    case 'assertion':
      return tree.sort === 'start';
    case 'choice':
      return tree.parts.every(startsAnchored);
    case 'sequence': {
      const [first] = tree.parts;
      return first !== undefined && startsAnchored(first);
    }
    default:
      return false;
  }
}

/** The loops of a pattern, and whether no two of them can read the same character. */
function countLoops(tree: PatternTree): { readonly count: number; readonly areApart: boolean } {
  const positions = buildPositions(tree, 9, maxPositions) ?? buildPositions(tree, 1, maxPositions * 4);
  if (positions === undefined) return { count: 100, areApart: false };
  const { sets, follow } = positions;
  const component = findComponents(sets.length, (position) => follow[position]?.keys() ?? []);
  const members = new Map<number, number[]>();
  for (const [position, name] of component.entries()) members.set(name, [...(members.get(name) ?? []), position]);
  const loops = [...members.values()].filter(
    (some) => some.length > 1 || follow[some[0] as number]?.has(some[0] as number) === true,
  );
  const ranges = loops.map((some): readonly CharacterRange[] =>
    some.flatMap((position) => [...(sets[position] ?? [])]),
  );
  const areApart = ranges.every((one, index) => ranges.slice(index + 1).every((two) => !overlaps(one, two)));
  return { count: loops.length, areApart };
}
