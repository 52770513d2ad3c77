import { diffArrays } from 'diff';
import { findAnchors } from './line-anchors.ts';

/** A run of lines that are common, removed or added. */
export interface LineEdit {
  readonly kind: 'kept' | 'removed' | 'added';
  readonly count: number;
}

/** The edits that turn one list of lines into another. */
export interface LineComparison {
  readonly edits: readonly LineEdit[];
  /** True if a range was too different to compare and counts as replaced. */
  readonly coarse: boolean;
}

// Comparing takes about the square of the number of edits, in steps of at most a microsecond.
const maxFirstEdits = 400;
const maxLaterSteps = 300_000;

/**
 * Computes the edits from one list of lines to another, in bounded steps: first the fewest edits (Myers). If there are
 * too many, lines that occur once in both texts become anchors, and only the ranges between them are compared.
 */
export function compareLines(before: readonly string[], after: readonly string[]): LineComparison {
  const [left, right] = numberLines(before, after);
  const edits = findFewestEdits(left, right, maxFirstEdits);
  return edits === undefined ? compareBetweenAnchors(left, right) : { edits, coarse: false };
}

/** Maps equal lines to equal numbers, which are fast to compare. */
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
  let steps = maxLaterSteps;
  let coarse = false;
  for (const anchor of [...findAnchors(left, right), { left: left.length, right: right.length }]) {
    if (anchor.left === leftFrom && anchor.right === rightFrom) {
      edits.push({ kind: 'kept', count: 1 });
      leftFrom += 1;
      rightFrom += 1;
      continue;
    }
    const [removed, added] = [left.slice(leftFrom, anchor.left), right.slice(rightFrom, anchor.right)];
    // Half of the remaining steps, so that one difficult range does not use up all of them.
    const limit = Math.floor(Math.sqrt(steps));
    const found = findFewestEdits(removed, added, limit);
    coarse ||= found === undefined;
    edits.push(...(found ?? replace(removed.length, added.length)), { kind: 'kept', count: 1 });
    steps -= Math.min(limit, found === undefined ? limit : countChanges(found)) ** 2 / 2;
    [leftFrom, rightFrom] = [anchor.left + 1, anchor.right + 1];
  }
  // Removes the artificial anchor at the end of both texts.
  edits.pop();
  return { edits, coarse };
}

function countChanges(edits: readonly LineEdit[]): number {
  return edits.reduce((sum, { kind, count }) => sum + (kind === 'kept' ? 0 : count), 0);
}
