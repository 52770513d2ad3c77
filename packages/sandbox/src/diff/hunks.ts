import type { LineEdit } from './line-edits.ts';

/** A hunk of a unified diff. */
export interface Hunk {
  /** The first line of the range, counted from 1. */
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** The lines with their markers: blank, `-`, `+` or `\`. */
  readonly lines: readonly string[];
}

const noFinalNewline = '\\ No newline at end of file';

interface Change {
  /** The indexes of the first line, in either text. */
  readonly left: number;
  readonly right: number;
  readonly removed: number;
  readonly added: number;
}

/**
 * Groups edits into hunks with `context` lines around them. Hunks whose contexts would touch are merged. Lines include
 * their line breaks.
 */
export function buildHunks(
  edits: readonly LineEdit[],
  before: readonly string[],
  after: readonly string[],
  context: number,
): Hunk[] {
  return groupChanges(findChanges(edits), context).map((changes) => {
    const first = changes[0] as Change;
    const last = changes.at(-1) as Change;
    const leading = Math.min(context, first.left);
    const leftEnd = last.left + last.removed;
    const trailing = Math.min(context, before.length - leftEnd);
    const parts: string[][] = [];
    let next = first.left - leading;
    for (const { left, right, removed, added } of changes) {
      parts.push(markLines(' ', before.slice(next, left)));
      parts.push(markLines('-', before.slice(left, left + removed)), markLines('+', after.slice(right, right + added)));
      next = left + removed;
    }
    parts.push(markLines(' ', before.slice(next, leftEnd + trailing)));
    return {
      oldStart: first.left - leading + 1,
      oldLines: leftEnd + trailing - (first.left - leading),
      newStart: first.right - leading + 1,
      newLines: last.right + last.added + trailing - (first.right - leading),
      lines: parts.flat(),
    };
  });
}

/** Merges edits that no common line separates. */
function findChanges(edits: readonly LineEdit[]): Change[] {
  const changes: Change[] = [];
  let open = { left: 0, right: 0, removed: 0, added: 0 };
  const close = (): void => {
    if (open.removed + open.added > 0) changes.push(open);
  };
  for (const { kind, count } of edits) {
    if (count === 0) continue;
    if (kind !== 'kept') open = { ...open, [kind]: open[kind] + count };
    else {
      close();
      open = { left: open.left + open.removed + count, right: open.right + open.added + count, removed: 0, added: 0 };
    }
  }
  close();
  return changes;
}

function groupChanges(changes: readonly Change[], context: number): Change[][] {
  const groups: Change[][] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    const isNear = last !== undefined && change.left - (last.left + last.removed) <= 2 * context;
    if (isNear) group?.push(change);
    else groups.push([change]);
  }
  return groups;
}

function markLines(mark: ' ' | '-' | '+', lines: readonly string[]): string[] {
  return lines.flatMap((line) => (line.endsWith('\n') ? [mark + line.slice(0, -1)] : [mark + line, noFinalNewline]));
}
