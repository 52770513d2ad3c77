import { describe, expect, it } from 'vitest';
import { defineTool, type AnyTool, type PermissionEngine } from '@haft/core';
import { runAgent } from '../index.ts';
import { scriptedModel } from '../testing.ts';
import { expectPaired } from '../fixtures/expect-paired.ts';

const act = defineTool({
  name: 'act',
  description: 'Acts.',
  input: { type: 'object' },
  execute: () => 'acted',
}) as AnyTool;

const denyFirst = (): PermissionEngine => {
  let count = 0;
  return {
    ask: () =>
      (count += 1) === 1
        ? { action: 'deny', denial: { source: 'person', reason: 'not this one' } }
        : { action: 'allow' },
  };
};

const three = { calls: [{ name: 'act' }, { name: 'act' }, { name: 'act' }] };

describe('a denied call', () => {
  it.each([
    ['continue', ['PERMISSION_DENIED', 'ok', 'ok'], 'finished'],
    ['skip', ['PERMISSION_DENIED', 'SKIPPED', 'SKIPPED'], 'finished'],
    ['stop', ['PERMISSION_DENIED', 'SKIPPED', 'SKIPPED'], 'denied'],
  ] as const)('has an answer for every call with onDenied %s', async (onDenied, codes, stopReason) => {
    const model = scriptedModel([three, 'Done.']);
    const result = await runAgent({ model, tools: [act], prompt: 'Go', permission: denyFirst(), onDenied });
    expect(result.calls.map((call) => (call.result.ok ? 'ok' : call.result.error.code))).toEqual(codes);
    expect(result.stopReason).toBe(stopReason);
    expectPaired(result.messages);
    for (const request of model.requests) expectPaired(request.messages);
    expect(result.error?.denial?.reason).toBe(stopReason === 'denied' ? 'not this one' : undefined);
  });
});
