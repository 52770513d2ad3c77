import type { CharacterRange, PatternTree } from './pattern-tree.ts';

/** The position automaton of a pattern: one state per character set, and the number of transitions between states. */
export interface PatternPositions {
  readonly sets: readonly (readonly CharacterRange[])[];
  /**
   * For each position, the positions that can follow it, with the number of transitions. Two transitions to the same
   * position are an ambiguity.
   */
  readonly follow: readonly ReadonlyMap<number, number>[];
}

interface Fragment {
  readonly canBeEmpty: boolean;
  readonly first: readonly number[];
  readonly last: readonly number[];
}

const maxEdges = 200_000;
const nothing: Fragment = { canBeEmpty: true, first: [], last: [] };

/**
 * Builds the position (Glushkov) automaton of a tree. Repeats of up to `maxCopies` are written out; longer ones count
 * as endless, which can only add ambiguity. Returns `undefined` if it would be too large, or would repeat an expression
 * that can be empty many times: `(a?){40}` has no endless loop but too many paths.
 */
export function buildPositions(
  tree: PatternTree,
  maxCopies: number,
  maxPositions: number,
): PatternPositions | undefined {
  const sets: (readonly CharacterRange[])[] = [];
  const follow: Map<number, number>[] = [];
  let edges = 0;
  let isTooLarge = false;

  function connect(from: readonly number[], to: readonly number[]): void {
    edges += from.length * to.length;
    if (edges > maxEdges) isTooLarge = true;
    if (isTooLarge) return;
    for (const left of from) {
      const ways = follow[left];
      for (const right of to) ways?.set(right, (ways.get(right) ?? 0) + 1);
    }
  }

  function join(left: Fragment, right: Fragment): Fragment {
    connect(left.last, right.first);
    return {
      canBeEmpty: left.canBeEmpty && right.canBeEmpty,
      first: left.canBeEmpty ? [...left.first, ...right.first] : left.first,
      last: right.canBeEmpty ? [...left.last, ...right.last] : right.last,
    };
  }

  function loop(part: Fragment, canBeEmpty: boolean): Fragment {
    connect(part.last, part.first);
    return { ...part, canBeEmpty: canBeEmpty || part.canBeEmpty };
  }

  function repeat(part: PatternTree, least: number, most: number): Fragment {
    if (most === 0) return nothing;
    const isEndless = most === Infinity || most > maxCopies;
    const copies = isEndless ? Math.min(Math.max(least, 1), maxCopies) : most;
    let whole = nothing;
    for (let copy = 1; copy <= copies && !isTooLarge; copy += 1) {
      const one = build(part);
      if (one.canBeEmpty && isEndless && most !== Infinity) isTooLarge = true;
      const isLast = copy === copies;
      const isOptional = isEndless ? least === 0 : copy > least;
      whole = join(
        whole,
        isEndless && isLast ? loop(one, isOptional) : { ...one, canBeEmpty: one.canBeEmpty || isOptional },
      );
    }
    return whole;
  }

  function build(node: PatternTree): Fragment {
    switch (node.kind) {
      case 'empty':
      case 'assertion':
      case 'look':
        return nothing;
      case 'set': {
        if (sets.length >= maxPositions) isTooLarge = true;
        if (isTooLarge) return nothing;
        const position = sets.push(node.ranges) - 1;
        follow.push(new Map());
        return { canBeEmpty: false, first: [position], last: [position] };
      }
      case 'sequence':
        return node.parts.reduce((whole, part) => join(whole, build(part)), nothing);
      case 'choice': {
        const parts = node.parts.map(build);
        return {
          canBeEmpty: parts.some((part) => part.canBeEmpty),
          first: parts.flatMap((part) => part.first),
          last: parts.flatMap((part) => part.last),
        };
      }
      default:
        return repeat(node.part, node.least, node.most);
    }
  }

  build(tree);
  return isTooLarge ? undefined : { sets, follow };
}
