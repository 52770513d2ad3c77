import type { Journal, JournalCall, JournalScope, UndoConflict, WorkspaceChange } from '@haft/journal';

/** The unit to undo: everything since the user's last message, or one call. */
export type UndoReach = 'turn' | 'call';

/** Selects the sessions whose calls can be undone. */
export interface UndoSessions {
  readonly counts: (sessionId: string) => boolean;
  /** The calls of this session come before those of all others. */
  readonly first?: string;
}

/** A turn or call that can be undone. */
export interface UndoPlan {
  readonly reach: UndoReach;
  /** The calls to undo, newest first. */
  readonly calls: readonly [JournalCall, ...JournalCall[]];
  readonly scopes: readonly JournalScope[];
  /** The files that an undo would change. */
  readonly files: readonly PlannedFile[];
}

/** A file that an undo would change. */
export interface PlannedFile {
  readonly path: string;
  readonly isDeleted: boolean;
  /** The user or another program may have changed the file. */
  readonly isInferred: boolean;
}

/** What {@link planUndo} found. */
export interface FoundPlan {
  readonly plan?: UndoPlan;
  /** The newer turns or calls that have nothing left but conflicts, newest first. */
  readonly passed: readonly PassedTurn[];
}

/** A turn or call that can't be undone now. */
export interface PassedTurn {
  /** Newest first. */
  readonly calls: readonly [JournalCall, ...JournalCall[]];
  /** One conflict for each file that no newer turn has named. */
  readonly conflicts: readonly UndoConflict[];
}

/** Result of undoing. */
export interface Undone {
  /** The journal's ids of the undos. */
  readonly ids: readonly string[];
  readonly changes: readonly WorkspaceChange[];
  /** Files that were not restored, with reasons. */
  readonly conflicts: readonly UndoConflict[];
  /** Set if writing failed, or a call is still running. */
  readonly problem?: string;
}

/**
 * Finds the newest turn or call with changes that can be undone now. If some calls of a turn are already undone, plans
 * the others one by one.
 */
export async function planUndo(journal: Journal, sessions: UndoSessions, reach: UndoReach): Promise<FoundPlan> {
  const passed: PassedTurn[] = [];
  const named = new Set<string>();
  for (const calls of groupNewestFirst(journal, sessions, reach)) {
    const [newest, ...others] = calls.filter((call) => isLeft(call, journal));
    if (newest === undefined) continue;
    const left = [newest, ...others] as const;
    const isWhole = reach === 'turn' && left.length === calls.length;
    const scopes: readonly JournalScope[] = isWhole ? [scopeOf(newest)] : left.map(({ id }) => ({ id }));
    const files = new Map<string, PlannedFile>();
    const blocked = new Map<string, UndoConflict>();
    let isNext = false;
    for (const scope of scopes) {
      const { changes, conflicts, code } = await journal.previewUndo(scope);
      const isBusy = code === 'UNDO_BUSY' || conflicts.some(({ reason }) => reason === 'busy');
      isNext ||= changes.length > 0 || isBusy;
      for (const conflict of conflicts) blocked.set(conflict.path, conflict);
      // Conflicts among the calls of a turn disappear while the calls are undone one after another.
      const planned = scopes.length === 1 ? changes.flatMap(filesOf) : journal.changes(scope).flatMap(filesBefore);
      for (const file of planned) {
        const isInferred = file.isInferred || files.get(file.path)?.isInferred === true;
        files.set(file.path, { ...file, isInferred });
      }
    }
    if (isNext) return { plan: { reach, calls: left, scopes, files: [...files.values()] }, passed };
    const conflicts = [...blocked.values()].filter(({ path }) => !named.has(path));
    for (const { path } of conflicts) named.add(path);
    if (conflicts.length > 0) passed.push({ calls: left, conflicts });
  }
  return { passed };
}

/** Undoes scopes one after another. Skips files that have changed since. */
export async function undoScopes(journal: Journal, scopes: readonly JournalScope[]): Promise<Undone> {
  const ids: string[] = [];
  const changes: WorkspaceChange[] = [];
  const conflicts = new Map<string, UndoConflict>();
  for (const scope of scopes) {
    const result = await journal.undo(scope, { onConflict: 'skip' });
    for (const conflict of result.conflicts) conflicts.set(conflict.path, conflict);
    if (result.ok) {
      ids.push(result.id);
      changes.push(...result.changes);
    } else if (result.code === 'UNDO_FAILED' || result.code === 'UNDO_BUSY')
      return { ids, changes, conflicts: [...conflicts.values()], problem: result.message };
  }
  return { ids, changes, conflicts: [...conflicts.values()] };
}

/** Finds the newest undo, of those that `counts` selects, whose changes have not been brought back. */
export function findRedo(journal: Journal, counts: (id: string) => boolean): JournalScope | undefined {
  const calls = journal.calls();
  const undos = new Set(calls.flatMap(({ id, undoes }) => (undoes ? [id] : [])));
  const found = calls.findLast(
    (call) =>
      counts(call.id) &&
      call.ok === true &&
      call.undoes !== undefined &&
      // The undo of an undo is a redo.
      !call.undoes.some((id) => undos.has(id)) &&
      isLeft(call, journal),
  );
  return found && { id: found.id };
}

/** The calls of the newest turn that changed something, newest first; empty if nothing was changed. */
export function findNewestTurn(journal: Journal, sessions: UndoSessions): readonly JournalCall[] {
  return groupNewestFirst(journal, sessions, 'turn')[0] ?? [];
}

/** The turn of a call. A client's call belongs to no run and is a turn by itself. */
export function scopeOf({ id, runId }: JournalCall): JournalScope {
  return runId === '' ? { id } : { runId };
}

/** Whether any change of a call is left to undo. */
export function isLeft(call: JournalCall, journal: Journal): boolean {
  const { id, changes } = call;
  const undos = findUndos(journal).filter(({ undoes }) => undoes!.includes(id));
  if (undos.length === 0) return changes.length > 0;
  const undone = new Set(undos.flatMap((undo) => undo.changes.flatMap(pathsOf)));
  // A file that a turn created and deleted existed neither before nor after it.
  const isOfTurn = undos.some(({ undoes }) => undoes!.length > 1);
  const ofTurn = isOfTurn ? new Set(journal.changes(scopeOf(call)).flatMap(pathsOf)) : undefined;
  return changes.flatMap(pathsOf).some((path) => !undone.has(path) && ofTurn?.has(path) !== false);
}

/** The successful undos that no later one has undone. */
function findUndos(journal: Journal): readonly JournalCall[] {
  const undone = new Set<string>();
  return journal
    .calls()
    .toReversed()
    .filter(({ id, ok, undoes }) => {
      if (ok !== true || undoes === undefined || undone.has(id)) return false;
      for (const each of undoes) undone.add(each);
      return true;
    });
}

function groupNewestFirst(
  journal: Journal,
  { counts, first }: UndoSessions,
  reach: UndoReach,
): readonly (readonly JournalCall[])[] {
  const calls = journal
    .calls()
    .filter((call) => counts(call.sessionId) && !call.undoes && call.changes.length > 0)
    .toReversed();
  const turns = new Map<string, JournalCall[]>();
  for (const isFirst of [true, false]) {
    for (const call of calls) {
      if ((call.sessionId === first) !== isFirst) continue;
      const key = reach === 'call' || call.runId === '' ? call.id : call.runId;
      const turn = turns.get(key);
      if (turn) turn.push(call);
      else turns.set(key, [call]);
    }
  }
  return [...turns.values()];
}

function filesOf({ path, after, from, ...change }: WorkspaceChange): readonly PlannedFile[] {
  const isInferred = change.isInferred === true;
  const file = { path, isDeleted: after.kind === 'absent', isInferred };
  return from === undefined ? [file] : [file, { path: from, isDeleted: true, isInferred }];
}

/** What undoing a change does to its files. */
function filesBefore({ path, before, from, ...change }: WorkspaceChange): readonly PlannedFile[] {
  const isInferred = change.isInferred === true;
  const file = { path, isDeleted: before.kind === 'absent' || from !== undefined, isInferred };
  return from === undefined ? [file] : [file, { path: from, isDeleted: false, isInferred }];
}

function pathsOf({ path, from }: WorkspaceChange): readonly string[] {
  return from === undefined ? [path] : [path, from];
}
