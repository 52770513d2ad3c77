import type { ChangeList, UndoView } from '../contract/change-data.ts';
import { refuse, respondJson } from '../http/respond.ts';
import { found, get, post, type Route } from '../http/route.ts';
import { describeChange, listChanges } from './describe-change.ts';
import type { WorkbenchJournal } from './workbench-journal.ts';

/** The journal of the program, and whether it is ready. */
export interface JournalSlot {
  readonly state: ChangeList['state'];
  readonly journal: WorkbenchJournal | undefined;
}

/** Creates the routes of the page Changes. `onUndone` is called after an undo. */
export function createChangeRoutes(slot: () => JournalSlot, onUndone: () => void): readonly Route[] {
  return [
    get('journal', () => {
      const { state, journal } = slot();
      return respondJson({ state, calls: journal === undefined ? [] : listChanges(journal) } satisfies ChangeList);
    }),
    get('journal/*', async (id) => {
      const { journal } = slot();
      return found(journal && (await describeChange(journal, id)), 'the journal no longer has this call');
    }),
    post('journal/*', async (id, { reach, skipConflicts }) => {
      const { journal } = slot();
      if (journal === undefined) return refuse(404, 'the program has no journal');
      if (reach !== 'call' && reach !== 'since') return refuse(400, 'reach: expected "call" or "since"');
      const onConflict = skipConflicts === true ? 'skip' : 'refuse';
      const result = await journal.undo(reach === 'call' ? { id } : { since: id }, { onConflict });
      onUndone();
      return respondJson({ isOk: result.ok, message: messageOf(result) } satisfies UndoView);
    }),
  ];
}

function messageOf(result: Awaited<ReturnType<WorkbenchJournal['undo']>>): string {
  if (!result.ok) return result.message;
  const { changes, conflicts } = result;
  const undone = `The changes of ${changes.length} ${changes.length === 1 ? 'path' : 'paths'} were undone`;
  const left = conflicts.length === 1 ? '1 is left as it is' : `${conflicts.length} are left as they are`;
  return conflicts.length === 0 ? `${undone}.` : `${undone}, ${left}.`;
}
