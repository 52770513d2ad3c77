import type { FileDiff } from '@haft/core';
import { computeFileDiff } from '@haft/sandbox';
import { count } from '../../count.ts';
import { countEqualHead, countLines, lineNumbersAt } from '../text-lines.ts';
import type { DoneChange } from './done-change.ts';
import type { PlannedChange } from './planned-change.ts';

/** The description of a change. */
export interface DescribedChange {
  /** For the model, without a final period. */
  readonly sentence: string;
  /** For the user. */
  readonly summary: string;
  readonly diff: FileDiff;
  readonly firstChangedLine: number;
}

/** Describes the change of one file. */
export function describeChange({ change, bytes }: DoneChange): DescribedChange {
  const { shown } = change.place;
  const diff = diffOf(change);
  const lines = change.kind === 'delete' ? change.file.text : change.after;
  const size = `${count(countLines(lines), 'line')}, ${count(bytes, 'byte')}`;
  const counts = `+${diff.additions} -${diff.deletions}`;
  if (change.kind === 'create') {
    const summary = `Created: ${shown} (+${diff.additions})`;
    return { sentence: `Created ${shown}: ${size}`, summary, diff, firstChangedLine: 1 };
  }
  if (change.kind === 'delete') {
    const sentence = `Deleted ${shown} (${count(countLines(lines), 'line')})`;
    return { sentence, summary: `Deleted: ${shown} (-${diff.deletions})`, diff, firstChangedLine: 1 };
  }
  const firstChangedLine = findFirstChangedLine(change.file.text, change.after);
  if (change.to !== undefined) {
    const sentence = `Moved ${shown} to ${change.to.shown} (${counts}); it has ${size}`;
    return { sentence, summary: `Moved: ${shown} to ${change.to.shown} (${counts})`, diff, firstChangedLine };
  }
  return {
    sentence: `Modified ${shown} (${counts}), first change at line ${firstChangedLine}; it now has ${size}`,
    summary: `Modified: ${shown} (${counts})`,
    diff,
    firstChangedLine,
  };
}

/** Joins the diffs of several files into one patch. */
export function diffOfAll(diffs: readonly FileDiff[]): FileDiff {
  if (diffs.length === 1) return diffs[0]!;
  return {
    path: diffs.map(({ path }) => path).join(', '),
    patch: diffs.map(({ patch }) => patch).join(''),
    existedBefore: diffs.every(({ existedBefore }) => existedBefore),
    additions: diffs.reduce((sum, { additions }) => sum + additions, 0),
    deletions: diffs.reduce((sum, { deletions }) => sum + deletions, 0),
  };
}

function diffOf(change: PlannedChange): FileDiff {
  const { patch, existedBefore, additions, deletions } = computeFileDiff({
    path: change.kind === 'modify' && change.to ? change.to.shown : change.place.shown,
    before: change.kind === 'create' ? null : change.file.text,
    after: change.kind === 'delete' ? null : change.after,
  });
  return { path: change.place.shown, patch, existedBefore, additions, deletions };
}

function findFirstChangedLine(before: string, after: string): number {
  return lineNumbersAt(before, [countEqualHead(before, after)])[0]!;
}
