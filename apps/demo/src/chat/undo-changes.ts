import type { Journal, JournalCall, JournalScope, UndoConflict, WorkspaceChange } from '@haft/journal';

/** How much is undone at once: all that followed what the person said last, or one call. */
export type UndoReach = 'turn' | 'call';

/** What came of it. */
export interface Undone {
  readonly changes: readonly WorkspaceChange[];
  /** What was left as it is, and why. */
  readonly conflicts: readonly UndoConflict[];
  /** A sentence where the disk refused, or a call is still running. */
  readonly problem?: string;
}

/**
 * Undoes the newest turn, or call, of the sessions that count, which is not undone yet; undefined when there is none. What somebody has
 * changed since stays, and so that turn is the one that is tried again. A turn of which single calls have been undone goes call by call.
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

/** The calls of the newest turn that changed something, newest first; none when nothing has been changed. */
export function findNewestTurn(journal: Journal, counts: (sessionId: string) => boolean): readonly JournalCall[] {
  return groupNewestFirst(journal, counts, 'turn')[0] ?? [];
}

/** The turn that a call belongs to; a client's call belongs to no run, and is one by itself. */
export function scopeOf({ id, runId }: JournalCall): JournalScope {
  return runId === '' ? { id } : { runId };
}

/** Whether something that a call changed has not been undone. */
export function isLeft(call: JournalCall, journal: Journal): boolean {
  const { id, changes } = call;
  const undos = journal.calls().filter(({ undoes, ok }) => ok === true && undoes?.includes(id));
  if (undos.length === 0) return changes.length > 0;
  const undone = new Set(undos.flatMap((undo) => undo.changes.flatMap(pathsOf)));
  // What a turn made and removed again was there neither before nor after it.
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
