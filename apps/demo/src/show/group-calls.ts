import type { ToolKind } from '@haft/core';

/** The heading under which a call is shown. */
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
 * Groups the calls of one turn: reads, then writes, then other actions. The order within a group stays; empty groups
 * are omitted.
 */
export function groupCalls<Call extends { readonly kind: ToolKind }>(
  calls: readonly Call[],
): readonly CallGroup<Call>[] {
  return order
    .map((name) => ({ name, calls: calls.filter((call) => groupOfKind[call.kind] === name) }))
    .filter((group) => group.calls.length > 0);
}
