import { diffArrays } from 'diff';
import { findAnchors } from './line-anchors.ts';

/** A run of lines that both texts have, that only the first has, or that only the second has. */
export interface LineEdit {
  readonly kind: 'kept' | 'removed' | 'added';
  readonly count: number;
}

/** How one list of lines becomes another. */
export interface LineComparison {
  readonly edits: readonly LineEdit[];
  /** Some stretch was too different to compare: all of it counts as replaced. */
  readonly coarse: boolean;
}

// Comparing costs about the square of the number of edits, in steps of a microsecond or less.
const firstEditLimit = 400;
const laterSteps = 300_000;

/**
 * Finds out how one list of lines becomes another, in bounded steps: first the fewest edits (Myers); if those are many, the
 * lines that occur once on either side hold the texts together, and only what lies between is compared.
 */
export function compareLines(before: readonly string[], after: readonly string[]): LineComparison {
  const [left, right] = numberLines(before, after);
  const edits = findFewestEdits(left, right, firstEditLimit);
  return edits === undefined ? compareBetweenAnchors(left, right) : { edits, coarse: false };
}

/** Equal lines get equal numbers, which are quick to compare. */
function numberLines(before: readonly string[], after: readonly string[]): readonly [number[], number[]] {
  const numbers = new Map<string, number>();
  const numberOf = (line: string): number => {
    const known = numbers.get(line) ?? numbers.size;
    numbers.set(line, known);
    return known;
  };
  return [before.map(numberOf), after.map(numberOf)];
}

function findFewestEdits(left: number[], right: number[], maxEditLength: number): LineEdit[] | undefined {
  if (left.length === 0 || right.length === 0) return replace(left.length, right.length);
  return diffArrays(left, right, { maxEditLength })?.map(({ added, removed, count }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'kept',
    count,
  }));
}

function replace(removed: number, added: number): LineEdit[] {
  return [
    { kind: 'removed', count: removed },
    { kind: 'added', count: added },
  ];
}

function compareBetweenAnchors(left: readonly number[], right: readonly number[]): LineComparison {
  const edits: LineEdit[] = [];
  let [leftFrom, rightFrom] = [0, 0];
  let steps = laterSteps;
  let coarse = false;
  for (const anchor of [...findAnchors(left, right), { left: left.length, right: right.length }]) {
    if (anchor.left === leftFrom && anchor.right === rightFrom) {
      edits.push({ kind: 'kept', count: 1 });
      leftFrom += 1;
      rightFrom += 1;
      continue;
    }
    const [removed, added] = [left.slice(leftFrom, anchor.left), right.slice(rightFrom, anchor.right)];
    // Half of what is left, so that one wild stretch leaves something for the others.
    const limit = Math.floor(Math.sqrt(steps));
    const found = findFewestEdits(removed, added, limit);
    coarse ||= found === undefined;
    edits.push(...(found ?? replace(removed.length, added.length)), { kind: 'kept', count: 1 });
    steps -= Math.min(limit, found === undefined ? limit : countChanges(found)) ** 2 / 2;
    [leftFrom, rightFrom] = [anchor.left + 1, anchor.right + 1];
  }
  // The end of both texts was taken for a last anchor.
  edits.pop();
  return { edits, coarse };
}

function countChanges(edits: readonly LineEdit[]): number {
  return edits.reduce((sum, { kind, count }) => sum + (kind === 'kept' ? 0 : count), 0);
}
