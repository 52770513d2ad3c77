import type { Journal, JournalCall, JournalScope, UndoConflict, WorkspaceChange } from '@haft/journal';

/** The unit to undo: everything since the user's last message, or one call. */
export type UndoReach = 'turn' | 'call';

/** Result of undoing. */
export interface Undone {
  readonly changes: readonly WorkspaceChange[];
  /** Files that were not restored, with reasons. */
  readonly conflicts: readonly UndoConflict[];
  /** Set if writing failed, or a call is still running. */
  readonly problem?: string;
}

/**
 * Undoes the newest turn or call that has not been undone, in the sessions that `counts` selects. Returns undefined if
 * all of them are undone. Skips files that have changed since; the next undo then tries the same turn again. If some
 * calls of a turn are already undone, undoes the others one by one.
 */
export async function undoNewest(
  journal: Journal,
  counts: (sessionId: string) => boolean,
  reach: UndoReach,
): Promise<Undone | undefined> {
  for (const calls of groupNewestFirst(journal, counts, reach)) {
    const left = calls.filter((call) => isLeft(call, journal));
    if (left.length === 0) continue;
    const isWhole = reach === 'turn' && left.length === calls.length;
    const scopes: readonly JournalScope[] = isWhole ? [scopeOf(calls[0]!)] : left.map(({ id }) => ({ id }));
    const changes: WorkspaceChange[] = [];
    const conflicts = new Map<string, UndoConflict>();
    let problem: string | undefined;
    for (const scope of scopes) {
      const result = await journal.undo(scope, { onConflict: 'skip' });
      for (const conflict of result.conflicts) conflicts.set(conflict.path, conflict);
      if (result.ok) changes.push(...result.changes);
      else if (result.code === 'UNDO_FAILED' || result.code === 'UNDO_BUSY') {
        problem = result.message;
        break;
      }
    }
    if (changes.length + conflicts.size === 0 && problem === undefined) continue;
    return { changes, conflicts: [...conflicts.values()], ...(problem === undefined ? {} : { problem }) };
  }
  return undefined;
}

/** The calls of the newest turn that changed something, newest first; empty if nothing was changed. */
export function findNewestTurn(journal: Journal, counts: (sessionId: string) => boolean): readonly JournalCall[] {
  return groupNewestFirst(journal, counts, 'turn')[0] ?? [];
}

/** The turn of a call. A client's call belongs to no run and is a turn by itself. */
export function scopeOf({ id, runId }: JournalCall): JournalScope {
  return runId === '' ? { id } : { runId };
}

/** Whether any change of a call is left to undo. */
export function isLeft(call: JournalCall, journal: Journal): boolean {
  const { id, changes } = call;
  const undos = journal.calls().filter(({ undoes, ok }) => ok === true && undoes?.includes(id));
  if (undos.length === 0) return changes.length > 0;
  const undone = new Set(undos.flatMap((undo) => undo.changes.flatMap(pathsOf)));
  // A file that a turn created and deleted existed neither before nor after it.
  const isOfTurn = undos.some(({ undoes }) => undoes!.length > 1);
  const ofTurn = isOfTurn ? new Set(journal.changes(scopeOf(call)).flatMap(pathsOf)) : undefined;
  return changes.flatMap(pathsOf).some((path) => !undone.has(path) && ofTurn?.has(path) !== false);
}

function groupNewestFirst(
  journal: Journal,
  counts: (sessionId: string) => boolean,
  reach: UndoReach,
): readonly (readonly JournalCall[])[] {
  const calls = journal
    .calls()
    .filter((call) => counts(call.sessionId) && !call.undoes && call.changes.length > 0)
    .toReversed();
  if (reach === 'call') return calls.map((call) => [call]);
  const turns = new Map<string, JournalCall[]>();
  for (const call of calls) {
    const key = call.runId === '' ? call.id : call.runId;
    const turn = turns.get(key);
    if (turn) turn.push(call);
    else turns.set(key, [call]);
  }
  return [...turns.values()];
}

function pathsOf({ path, from }: WorkspaceChange): readonly string[] {
  return from === undefined ? [path] : [path, from];
}
