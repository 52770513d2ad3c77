import type { Roots } from '@haft/sandbox';
import { applyStates, type Restoration } from './apply-states.ts';
import type { ContentStore } from '../content/content-store.ts';
import { hasSameContent, isSameState, type EntryState } from '../entry-state.ts';
import type { JournalScope } from '../record/history.ts';
import type { NetChange, WorkspaceChange } from '../record/net-changes.ts';
import { nameChanges } from '../record/net-changes.ts';
import type { Recorder } from '../record/recorder.ts';

/** Why a path cannot be restored. */
export interface UndoConflict {
  /** Absolute path. */
  readonly path: string;
  /**
   * `changed-since`: it was changed after the call, or removed and created again. `changed-between`: it was changed between two of the calls.
   * `shared`: other calls were running at the same time. `busy`: a running call may change it. `not-kept`: its former
   * content was too large or unreadable, or its present content is, and the call may not have written it. `not-possible`: it was a pipe, socket or device.
   */
  readonly reason: 'changed-since' | 'changed-between' | 'shared' | 'busy' | 'not-kept' | 'not-possible';
  /** Message for the user. */
  readonly message: string;
}

/** Options of {@link Journal.undo}. */
export interface UndoOptions {
  /** Behavior if a path cannot be restored: undo nothing (`refuse`, the default) or all other paths (`skip`). */
  readonly onConflict?: 'refuse' | 'skip';
}

/** A successful undo. */
export interface UndoDone {
  readonly ok: true;
  /** Journal id of the undo. Undo this id to redo the changes. */
  readonly id: string;
  readonly changes: readonly WorkspaceChange[];
  /** Paths left unchanged with `onConflict: 'skip'`. */
  readonly conflicts: readonly UndoConflict[];
  /** Created folders that remain because they contain other files. */
  readonly keptFolders: readonly string[];
}

/** A refused or failed undo. */
export interface UndoRefused {
  readonly ok: false;
  readonly code: 'NOTHING_TO_UNDO' | 'UNDO_BUSY' | 'UNDO_CONFLICT' | 'UNDO_FAILED' | 'UNKNOWN_CALL';
  /** Message for the user. */
  readonly message: string;
  readonly conflicts: readonly UndoConflict[];
}

/** Result of an undo. */
export type UndoResult = UndoDone | UndoRefused;

/** The effects that an undo would have now. */
export interface UndoPreview {
  /** Changes that the undo would make. */
  readonly changes: readonly WorkspaceChange[];
  /** Paths that cannot be restored. */
  readonly conflicts: readonly UndoConflict[];
  /** Why nothing can be undone, whatever the conflicts. */
  readonly code?: Exclude<UndoRefused['code'], 'UNDO_CONFLICT' | 'UNDO_FAILED'>;
  /** Message for the user, with `code`. */
  readonly message?: string;
}

export interface UndoDeps {
  readonly recorder: Recorder;
  readonly contents: ContentStore;
  readonly roots: Roots;
  readonly show: (path: string) => string;
}

type RefusedPlan = UndoRefused & { readonly code: NonNullable<UndoPreview['code']> };

interface PlannedRestoration extends Restoration {
  readonly isInferred: boolean;
}

interface UndoPlan {
  readonly ids: readonly string[];
  readonly plan: readonly PlannedRestoration[];
  readonly conflicts: readonly UndoConflict[];
}

/** Finds the paths to restore and the conflicts. Changes nothing. */
async function planUndo(scope: JournalScope, deps: UndoDeps): Promise<UndoPlan | RefusedPlan> {
  const { recorder } = deps;
  const { history } = recorder;
  const ids = history.find(scope);
  if (ids.length === 0)
    return refuse('UNKNOWN_CALL', 'The journal has no such call. List the recorded calls with journal.calls().');
  if (ids.some((id) => history.isRunning(id))) return refuse('UNDO_BUSY', 'The call is still running. Stop it first.');
  const net = history.net(ids);
  const paths = net.map(({ path }) => path);
  await recorder.scan(paths, { isDeep: false });
  const open = net.filter(({ path, before }) => !isSameState(before, stateAt(recorder, path)));
  if (open.length === 0)
    return refuse(
      'NOTHING_TO_UNDO',
      net.length > 0
        ? 'All files are already in their former state.'
        : ids.length === 1
          ? 'The call changed no files.'
          : 'The calls left all files as they were.',
    );
  const replaced = history.findReplaced(ids);
  const conflicts = open.flatMap((change) => findConflict(change, replaced, deps));
  const blocked = new Set(conflicts.map(({ path }) => path));
  const plan = open.flatMap(({ path, before, isInferred }): readonly PlannedRestoration[] =>
    blocked.has(path) ? [] : [{ path, from: stateAt(recorder, path), to: before, isInferred }],
  );
  return { ids, plan, conflicts };
}

/** Returns the paths that an undo would restore, and its conflicts. Changes no file. */
export async function previewUndo(scope: JournalScope, deps: UndoDeps): Promise<UndoPreview> {
  const planned = await planUndo(scope, deps);
  if ('ok' in planned)
    return { changes: [], conflicts: planned.conflicts, code: planned.code, message: planned.message };
  const { plan, conflicts } = planned;
  const changes = nameChanges(
    plan.map(({ path, from, to, isInferred }) => ({ path, before: from, after: to, isInferred })),
  );
  return { changes, conflicts };
}

/** Undoes the net changes of calls, completely or not at all. */
export async function undo(scope: JournalScope, options: UndoOptions, deps: UndoDeps): Promise<UndoResult> {
  const { recorder, contents, roots, show } = deps;
  const { history } = recorder;
  const found = await planUndo(scope, deps);
  if ('ok' in found) return found;
  const { ids, plan, conflicts } = found;
  if (plan.length === 0 || (conflicts.length > 0 && options.onConflict !== 'skip'))
    return refuseConflicts(conflicts, show);

  const planned = plan.map(({ path }) => path);
  const facts = factsOf(history.describe(ids[0]!));
  const id = await recorder.begin({ facts, plan: planned, undoes: ids, isDeep: false });
  const { kept, failed } = await applyStates(plan, { roots, contents });
  if (failed) await rollBack(plan, deps);
  await recorder.scan(planned, { isDeep: false });
  recorder.end(id, failed === undefined, []);
  if (failed) return refuseFailed(plan, failed, deps);
  return { ok: true, id, changes: nameChanges(history.net([id])), conflicts, keptFolders: kept };
}

/** Restores the state from before a failed undo. */
async function rollBack(plan: readonly Restoration[], { recorder, contents, roots }: UndoDeps): Promise<void> {
  await recorder.scan(
    plan.map(({ path }) => path),
    { isDeep: false },
  );
  const back = plan.flatMap(({ path, from }): readonly Restoration[] => {
    const now = stateAt(recorder, path);
    return isSameState(now, from) ? [] : [{ path, from: now, to: from }];
  });
  await applyStates(back, { roots, contents });
}

function findConflict(
  change: NetChange,
  replaced: ReadonlySet<string>,
  { recorder, contents, show }: UndoDeps,
): readonly UndoConflict[] {
  const { path, before, after } = change;
  const name = show(path);
  const conflict = (reason: UndoConflict['reason'], message: string): readonly UndoConflict[] => [
    { path, reason, message },
  ];
  const remove = "delete it yourself if you don't need it";
  if (recorder.isBusy(path)) return conflict('busy', `A running call may change ${name}.`);
  if (!isSameState(after, stateAt(recorder, path)))
    return conflict('changed-since', `${name} has been changed since, and that change would be lost.`);
  if (before.kind === 'absent' && replaced.has(path))
    return conflict('changed-since', `${name} has been removed and created again since; ${remove}.`);
  if (change.isInterrupted)
    return conflict('changed-between', `${name} was also changed between these calls, and that change would be lost.`);
  if (change.isShared)
    return conflict(
      'shared',
      `${name} was changed while other calls were running; undo them together, by turn or run.`,
    );
  if (before.kind === 'other') return conflict('not-possible', `${name} was a pipe, socket or device.`);
  const isSameContent = before.kind === 'file' && hasSameContent(before, after);
  if (!isSameContent && !isKept(before, contents))
    return conflict(
      'not-kept',
      `The former content of ${name} is missing: it is too large, unreadable, or the journal is full.`,
    );
  // An undo that takes the user's own work must itself be undoable.
  if (change.isInferred && !isSameContent && !isKept(after, contents))
    return conflict(
      'not-kept',
      `${name} changed while a call ran and may not be the call's work, and the journal has no copy: it is too large or unreadable${before.kind === 'absent' ? `; ${remove}` : ''}.`,
    );
  return [];
}

/** Returns whether a state can be restored from the journal. */
function isKept(state: EntryState, contents: ContentStore): boolean {
  return state.kind !== 'file' || (state.hash !== undefined && contents.read(state.hash) !== undefined);
}

function stateAt(recorder: Recorder, path: string): EntryState {
  return recorder.stateAt(path) ?? { kind: 'absent' };
}

function factsOf(call: ReturnType<Recorder['history']['describe']>): Parameters<Recorder['begin']>[0]['facts'] {
  const { sessionId = '', runId = '', turn = 0 } = call ?? {};
  return { callId: '', tool: 'undo', provider: '', sessionId, runId, turn };
}

function refuse<Code extends UndoRefused['code']>(
  code: Code,
  message: string,
  conflicts: readonly UndoConflict[] = [],
): UndoRefused & { readonly code: Code } {
  return { ok: false, code, message, conflicts };
}

function refuseConflicts(conflicts: readonly UndoConflict[], show: (path: string) => string): UndoRefused {
  const others = conflicts.slice(1, 5).map(({ path }) => show(path));
  const more = conflicts.length > 5 ? ` and ${conflicts.length - 5} more` : '';
  const also = others.length === 0 ? '' : ` (the same applies to ${others.join(', ')}${more})`;
  return refuse('UNDO_CONFLICT', `Nothing was undone: ${conflicts[0]!.message}${also}`, conflicts);
}

function refuseFailed(
  plan: readonly Restoration[],
  failed: { readonly path: string; readonly message: string },
  { recorder, show }: UndoDeps,
): UndoRefused {
  const stuck = plan
    .filter(({ path, from }) => !isSameState(from, stateAt(recorder, path)))
    .map(({ path }) => show(path));
  const state =
    stuck.length === 0 ? 'all files are unchanged' : `these could not be restored: ${stuck.slice(0, 20).join(', ')}`;
  return refuse('UNDO_FAILED', `${show(failed.path)} could not be restored (${failed.message}); ${state}.`);
}
