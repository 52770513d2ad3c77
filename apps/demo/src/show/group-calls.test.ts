import type { ToolKind } from '@haft/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { groupCalls } from './group-calls.ts';

const call = (id: string, kind: ToolKind): { readonly id: string; readonly kind: ToolKind } => ({ id, kind });

describe('groupCalls', () => {
  test('shows reads first, then writes, then other actions', () => {
    const groups = groupCalls([call('bash', 'other'), call('edit', 'edit'), call('read', 'read')]);
    expect(groups.map((group) => [group.name, group.calls.map((each) => each.id)])).toEqual([
      ['reads', ['read']],
      ['writes', ['edit']],
      ['actions', ['bash']],
    ]);
  });

  test('counts deleting and moving as writes', () => {
    const groups = groupCalls([call('a', 'move'), call('b', 'delete'), call('c', 'edit')]);
    expect(groups).toEqual([{ name: 'writes', calls: [call('a', 'move'), call('b', 'delete'), call('c', 'edit')] }]);
  });

  test('omits empty groups', () => {
    expect(groupCalls([])).toEqual([]);
    expect(groupCalls([call('only', 'other')]).map((group) => group.name)).toEqual(['actions']);
  });

  test('keeps every call once, and the order inside each group', () => {
    const kinds = fc.constantFrom<ToolKind>('read', 'edit', 'delete', 'move', 'other');
    fc.assert(
      fc.property(fc.array(kinds), (list) => {
        const calls = list.map((kind, index) => ({ kind, index }));
        const groups = groupCalls(calls);
        const shown = groups.flatMap((group) => group.calls);
        expect(shown.map((each) => each.index).toSorted((a, b) => a - b)).toEqual(calls.map((each) => each.index));
        for (const group of groups) {
          const indices = group.calls.map((each) => each.index);
          expect(indices).toEqual(indices.toSorted((a, b) => a - b));
          expect(indices.length).toBeGreaterThan(0);
        }
      }),
    );
  });
});
