import { hasSameContent, isSameState, type EntryState, type StateChange } from '../entry-state.ts';
import type { ChangeRecord } from '../journal-record.ts';

/** Net change of one path over several calls. */
export interface NetChange extends StateChange {
  /** Another process or call changed the path between two of these calls. */
  readonly isInterrupted: boolean;
  /** Other calls were running when the path changed, so the author is uncertain. */
  readonly isShared: boolean;
  /** No call declared the path, or the call was interrupted. The user or another program may have changed it. */
  readonly isInferred: boolean;
}

/**
 * Computes the net changes of calls, sorted by path. Omits paths that ended as they began. `declares` returns whether a
 * call declared a path.
 */
export function findNetChanges(
  records: Iterable<ChangeRecord>,
  ids: ReadonlySet<string>,
  declares: (id: string, path: string) => boolean,
): readonly NetChange[] {
  const net = new Map<string, NetChange>();
  for (const { ids: owners, changes, isInferred } of records) {
    if (!owners.some((id) => ids.has(id))) continue;
    const isShared = owners.some((id) => !ids.has(id));
    for (const change of changes) {
      const known = net.get(change.path);
      net.set(change.path, {
        path: change.path,
        before: known ? known.before : change.before,
        after: change.after,
        isShared: isShared || known?.isShared === true,
        isInferred:
          isInferred === true || known?.isInferred === true || !owners.some((id) => declares(id, change.path)),
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
  /**
   * The change was found by comparing files before and after a call that declared no such path, such as a command, or
   * after a crash during the call. The user or another program may have made it.
   */
  readonly isInferred?: true;
}

type FoundChange = StateChange & { readonly isInferred?: boolean };

/**
 * Names the operation of each change. A removed and a created file with the same content are a rename; `before` then is
 * the state of the former path.
 */
export function nameChanges(changes: readonly FoundChange[]): readonly WorkspaceChange[] {
  const removed = new Map<string, FoundChange[]>();
  for (const change of changes) {
    const hash = movableHash(change.before);
    if (change.after.kind === 'absent' && hash !== undefined) removed.set(hash, [...(removed.get(hash) ?? []), change]);
  }
  const sources = new Set<FoundChange>();
  const named = changes.map((change): WorkspaceChange => {
    const { path, before, after } = change;
    const same = { path, before, after, ...markOf(change) };
    if (after.kind === 'absent') return { ...same, op: 'delete' };
    if (before.kind !== 'absent') return { ...same, op: 'modify' };
    const source = removed.get(movableHash(after) ?? '')?.shift();
    if (source === undefined || !hasSameContent(source.before, after)) return { ...same, op: 'create' };
    sources.add(source);
    return { ...same, ...markOf(source), before: source.before, op: 'rename', from: source.path };
  });
  return named.filter((_, index) => !sources.has(changes[index]!));
}

function markOf({ isInferred }: FoundChange): { readonly isInferred?: true } {
  return isInferred === true ? { isInferred } : {};
}

/** Empty files have equal contents without being renamed. */
function movableHash(state: EntryState): string | undefined {
  return state.kind === 'file' && state.size > 0 ? state.hash : undefined;
}
