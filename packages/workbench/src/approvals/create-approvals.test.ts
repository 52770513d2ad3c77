import { describe, expect, it } from 'vitest';
import { createDispatcher, defineTool } from '@haft/core';
import { createPermissionEngine, type PermissionAnswer } from '@haft/permission';
import { createApprovals } from './create-approvals.ts';

const pay = defineTool({ name: 'pay', description: 'Pays.', input: { type: 'object' }, execute: () => 'paid' });

describe('createApprovals', () => {
  it('shows the questions of all sessions at the same time', async () => {
    const approvals = createApprovals();
    const tools = createDispatcher({
      registry: [pay],
      permission: createPermissionEngine({ ask: approvals.ask }),
    });
    const isComplete = new Promise<void>((resolve) =>
      approvals.onChange(() => approvals.waiting().length === 3 && resolve()),
    );
    const calls = ['A', 'B', 'C'].map((sessionId) =>
      tools.dispatch({ id: '1', name: 'pay', arguments: {} }, { sessionId }),
    );
    await isComplete;
    expect(approvals.waiting().map(({ sessionId }) => sessionId)).toEqual(['A', 'B', 'C']);
    approvals.denyAll('not now');
    expect(await Promise.all(calls)).toMatchObject([{ ok: false }, { ok: false }, { ok: false }]);
  });

  it('throws for an invalid answer, and leaves the question open', async () => {
    const approvals = createApprovals();
    const tools = createDispatcher({
      registry: [pay],
      permission: createPermissionEngine({ ask: approvals.ask }),
    });
    const isShown = new Promise<void>((resolve) => approvals.onChange(resolve));
    const result = tools.dispatch({ id: '1', name: 'pay', arguments: {} });
    await isShown;
    const id = approvals.waiting()[0]!.id;
    for (const answer of [{ action: 'yes' }, undefined, 'allow', { action: 'allow', scope: 'forever' }, true]) {
      expect(() => approvals.answer(id, answer as PermissionAnswer)).toThrow(
        expect.objectContaining({ name: 'PermissionError', code: 'INVALID_ANSWER' }),
      );
      expect(approvals.waiting()).toHaveLength(1);
    }
    expect(approvals.answer('another', { action: 'allow' })).toBe(false);
    expect(approvals.answer(id, { action: 'allow' })).toBe(true);
    expect(approvals.answer(id, { action: 'allow' })).toBe(false);
    expect(await result).toMatchObject({ ok: true });
  });
});
