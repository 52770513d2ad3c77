import { relative, sep } from 'node:path';
import { cutText } from '../contract/as-json.ts';
import type { CallSummary } from '../contract/page-data.ts';
import type { ChangeDetails, ChangeSummary, UndoPlanView } from '../contract/change-data.ts';
import type { ChangeScope, JournaledCall, JournaledChange, WorkbenchJournal } from './workbench-journal.ts';

const maxListed = 500;
const maxFiles = 20;
const maxDiffs = 200;

/** Lists the latest recorded calls that changed files, newest first. */
export function listChanges(journal: WorkbenchJournal): readonly ChangeSummary[] {
  const calls = journal.calls();
  const undone = findUndone(calls);
  return calls
    .filter((call) => call.changes.length > 0 || call.endedAt === undefined)
    .slice(-maxListed)
    .map((call) => summarize(call, undone, journal.cwd))
    .toReversed();
}

/** Describes a recorded call with its diffs, and the effects that undoing it would have now. */
export async function describeChange(journal: WorkbenchJournal, id: string): Promise<ChangeDetails | undefined> {
  const calls = journal.calls();
  const at = calls.findIndex((call) => call.id === id);
  const call = calls[at];
  if (call === undefined) return undefined;
  const diffs = journal.diff({ id }).slice(0, maxDiffs);
  return {
    ...summarize(call, findUndone(calls), journal.cwd),
    files: call.changes.slice(0, maxDiffs).map((change) => fileOf(change, journal.cwd)),
    diffs: diffs.map(({ path, patch, additions, deletions }) => ({
      path,
      patch: cutText(patch),
      additions,
      deletions,
    })),
    mismatches: call.mismatches.map(describeMismatch),
    undoCall: await plan(journal, { id }, 1),
    undoSince: await plan(journal, { since: id }, calls.slice(at).filter(({ changes }) => changes.length > 0).length),
  };
}

/**
 * Finds the recorded call of a call in the log, if it changed files. Models may repeat IDs, so the latest call is used.
 */
export function findChangeOf(
  journal: WorkbenchJournal,
  {
    callId,
    sessionId,
    runId,
    name,
    startedAt,
  }: Pick<CallSummary, 'callId' | 'sessionId' | 'runId' | 'name' | 'startedAt'>,
): string | undefined {
  return journal
    .calls()
    .findLast(
      (call) =>
        call.callId === callId &&
        call.tool === name &&
        call.sessionId === sessionId &&
        call.runId === runId &&
        call.startedAt >= startedAt - clockDifferenceMs &&
        call.changes.length > 0,
    )?.id;
}

/** The log and the journal read the time at different moments. */
const clockDifferenceMs = 1_000;

async function plan(journal: WorkbenchJournal, scope: ChangeScope, calls: number): Promise<UndoPlanView> {
  const { changes, conflicts, message } = await journal.previewUndo(scope);
  return {
    changes: changes.flatMap(splitRename).map((change) => fileOf(change, journal.cwd)),
    conflicts: conflicts.map(({ path, reason, message: text }) => ({ path, reason, message: text })),
    ...(message === undefined ? {} : { message }),
    calls,
  };
}

function summarize(call: JournaledCall, undone: ReadonlySet<string>, cwd: string | undefined): ChangeSummary {
  const { id, tool, provider, callId, sessionId, runId, turn, startedAt, changes } = call;
  return {
    id,
    tool,
    provider,
    callId,
    sessionId,
    runId,
    turn,
    startedAt,
    state: stateOf(call, undone),
    files: changes.slice(0, maxFiles).map((change) => fileOf(change, cwd)),
    count: changes.length,
  };
}

function stateOf({ id, endedAt, undoes, changes }: JournaledCall, undone: ReadonlySet<string>): ChangeSummary['state'] {
  if (endedAt === undefined) return 'running';
  if (undone.has(id)) return 'undone';
  if (undoes !== undefined) return 'undo';
  return changes.length === 0 ? 'unchanged' : 'changed';
}

/** Returns the calls that a successful undo covers, unless a later undo has reverted that undo. */
function findUndone(calls: readonly JournaledCall[]): ReadonlySet<string> {
  const undone = new Set<string>();
  for (const { id, ok, undoes } of calls.toReversed())
    if (ok === true && undoes !== undefined && !undone.has(id)) for (const one of undoes) undone.add(one);
  return undone;
}

/** Names both files of a rename: the user decides whether to lose the one that an undo deletes. */
function splitRename({ from, ...change }: JournaledChange): readonly JournaledChange[] {
  if (from === undefined) return [change];
  return [
    { ...change, op: 'create' },
    { ...change, op: 'delete', path: from },
  ];
}

/** Shortens the path of a file below the working directory. */
function fileOf({ op, path, isInferred = false }: JournaledChange, cwd: string | undefined): JournaledChange {
  const below = cwd === undefined ? '' : relative(cwd, path);
  const shown = below === '' || below === '..' || below.startsWith(`..${sep}`) ? path : below;
  return { op, path: shown, ...(isInferred ? { isInferred } : {}) };
}

const mismatchTexts: Readonly<Record<string, string>> = {
  unreported: 'changed without reporting it',
  'outside-footprint': 'changed outside the declared paths',
  'read-only': 'changed by a tool that claims to be read-only',
  'not-done': 'reported as changed, but is unchanged',
};

function describeMismatch({ kind, paths, count }: JournaledCall['mismatches'][number]): string {
  const more = count > paths.length ? ` and ${count - paths.length} more` : '';
  return `${mismatchTexts[kind] ?? kind}: ${paths.join(', ')}${more}`;
}
