import type { UndoConflict } from '@haft/journal';

/** Says what the user can do about turns that can't be undone, one line for each kind of reason. */
export function adviseOnConflicts(reasons: readonly UndoConflict['reason'][], undo: string): readonly string[] {
  return table
    .filter((row) => row.reasons.some((reason) => reasons.includes(reason)))
    .map(({ advice }) => advice(undo));
}

interface Row {
  readonly reasons: readonly UndoConflict['reason'][];
  readonly advice: (undo: string) => string;
}

const table: readonly Row[] = [
  {
    reasons: ['changed-since'],
    advice: (undo) =>
      `files with later changes are skipped; to undo them, too, revert the later changes yourself and run ${undo} again`,
  },
  { reasons: ['busy'], advice: (undo) => `when the running call has ended, run ${undo} again` },
  { reasons: ['shared'], advice: (undo) => `to undo these calls together, run ${undo.replace(/ call$/, '')}` },
  {
    reasons: ['changed-between', 'not-kept', 'not-possible'],
    advice: () =>
      'the journal cannot restore all of these files; restore them yourself if you need them, for example with git',
  },
];
