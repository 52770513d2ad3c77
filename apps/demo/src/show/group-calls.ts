import type { ToolKind } from '@haft/core';

/** Under which heading a call is shown. */
export type GroupName = 'reads' | 'writes' | 'actions';

/** Calls that are shown together, in call order. */
export interface CallGroup<Call> {
  readonly name: GroupName;
  readonly calls: readonly Call[];
}

const order: readonly GroupName[] = ['reads', 'writes', 'actions'];

const groupOfKind: Readonly<Record<ToolKind, GroupName>> = {
  read: 'reads',
  edit: 'writes',
  delete: 'writes',
  move: 'writes',
  other: 'actions',
};

/**
 * Sorts the calls of one turn for the eye: first what was only looked at, then what was changed, then everything else
 * that was done. Inside a group the order stays; empty groups are left out; no call is lost.
 */
export function groupCalls<Call extends { readonly kind: ToolKind }>(
  calls: readonly Call[],
): readonly CallGroup<Call>[] {
  return order
    .map((name) => ({ name, calls: calls.filter((call) => groupOfKind[call.kind] === name) }))
    .filter((group) => group.calls.length > 0);
}
