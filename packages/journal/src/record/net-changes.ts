import { hasSameContent, isSameState, type EntryState, type StateChange } from '../entry-state.ts';
import type { ChangeRecord } from '../journal-record.ts';

/** Net change of one path over several calls. */
export interface NetChange extends StateChange {
  /** Another process or call changed the path between two of these calls. */
  readonly isInterrupted: boolean;
  /** Other calls were running when the path changed, so the author is uncertain. */
  readonly isShared: boolean;
}

/** Computes the net changes of calls, sorted by path. Omits paths that ended as they began. */
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

/** A change with the operation that explains it. */
export interface WorkspaceChange extends StateChange {
  readonly op: 'create' | 'modify' | 'delete' | 'rename';
  /** The former path, for `rename`. */
  readonly from?: string;
}

/**
 * Names the operation of each change. A removed and a created file with the same content are a rename; `before` then is
 * the state of the former path.
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

/** Empty files have equal contents without being renamed. */
function movableHash(state: EntryState): string | undefined {
  return state.kind === 'file' && state.size > 0 ? state.hash : undefined;
}
