import { hasSameContent, isSameState, type EntryState, type StateChange } from '../entry-state.ts';
import type { ChangeRecord } from '../journal-record.ts';

/** What became of one path over several calls. */
export interface NetChange extends StateChange {
  /** Somebody else changed it between two of these calls. */
  readonly isInterrupted: boolean;
  /** Other calls were at work when it changed, and nobody can tell which of them it was. */
  readonly isShared: boolean;
}

/** What some calls came to together: a path that is as it was before them is not among it. Sorted by path. */
export function findNetChanges(records: Iterable<ChangeRecord>, ids: ReadonlySet<string>): readonly NetChange[] {
  const net = new Map<string, NetChange>();
  for (const { ids: owners, changes } of records) {
    if (!owners.some((id) => ids.has(id))) continue;
    const isShared = owners.some((id) => !ids.has(id));
    for (const change of changes) {
      const known = net.get(change.path);
      net.set(change.path, {
        path: change.path,
        before: known ? known.before : change.before,
        after: change.after,
        isShared: isShared || known?.isShared === true,
        isInterrupted: known !== undefined && (known.isInterrupted || !isSameState(known.after, change.before)),
      });
    }
  }
  return [...net.values()]
    .filter(({ before, after }) => !isSameState(before, after))
    .toSorted((left, right) => (left.path < right.path ? -1 : 1));
}

/** What was done to one path, as people and programs read it. */
export interface WorkspaceChange extends StateChange {
  readonly op: 'create' | 'modify' | 'delete' | 'rename';
  /** The former path, for `rename`. */
  readonly from?: string;
}

/**
 * Names what was done. A file that went and one that came with the same content are one that was moved; its `before` is that of
 * the former path.
 */
export function nameChanges(changes: readonly StateChange[]): readonly WorkspaceChange[] {
  const gone = new Map<string, StateChange[]>();
  for (const change of changes) {
    const hash = movableHash(change.before);
    if (change.after.kind === 'absent' && hash !== undefined) gone.set(hash, [...(gone.get(hash) ?? []), change]);
  }
  const sources = new Set<StateChange>();
  const named = changes.map((change): WorkspaceChange => {
    const { path, before, after } = change;
    if (after.kind === 'absent') return { path, before, after, op: 'delete' };
    if (before.kind !== 'absent') return { path, before, after, op: 'modify' };
    const source = gone.get(movableHash(after) ?? '')?.shift();
    if (source === undefined || !hasSameContent(source.before, after)) return { path, before, after, op: 'create' };
    sources.add(source);
    return { path, before: source.before, after, op: 'rename', from: source.path };
  });
  return named.filter((_, index) => !sources.has(changes[index]!));
}

/** Empty files are alike without having been moved. */
function movableHash(state: EntryState): string | undefined {
  return state.kind === 'file' && state.size > 0 ? state.hash : undefined;
}
