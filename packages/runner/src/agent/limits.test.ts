import { describe, expect, it } from 'vitest';
import { allowAll, defineTool, type AnyTool } from '@haft/core';
import { createSteerQueue, runAgent } from '../index.ts';
import { scriptedModel, type ScriptedTurn } from '../testing.ts';
import { expectPaired } from '../fixtures/expect-paired.ts';

function counter() {
  let count = 0;
  const tool = defineTool({
    name: 'count_up',
    description: 'Counts.',
    input: { type: 'object' },
    execute: () => String((count += 1)),
  }) as AnyTool;
  return { tool, count: () => count };
}

const callTurn: ScriptedTurn = { calls: [{ name: 'count_up' }] };
const turns = (count: number): ScriptedTurn[] => Array.from({ length: count }, () => callTurn);

describe('the limit of tool iterations', () => {
  it.each([undefined, 0, 20])('allows 20 requests with tools for %s, then one without', async (maxToolIterations) => {
    const { tool, count } = counter();
    const model = scriptedModel([...turns(20), 'This is what I know.']);
    const result = await runAgent({
      model,
      tools: [tool],
      prompt: 'Go',
      permission: allowAll,
      ...(maxToolIterations !== undefined && { maxToolIterations }),
    });
    model.assertComplete();
    expect(result).toMatchObject({ stopReason: 'limit', text: 'This is what I know.', turns: 21 });
    expect(count()).toBe(20);
    expect(model.requests.slice(0, 20).every((request) => request.tools.length === 1)).toBe(true);
    expect(model.requests[20]!.tools).toEqual([]);
    expectPaired(result.messages);
  });

  it('announces the limit in the last request only', async () => {
    const { tool } = counter();
    const model = scriptedModel([callTurn, 'Answer.']);
    const result = await runAgent({ model, tools: [tool], prompt: 'Go', permission: allowAll, maxToolIterations: 1 });
    expect(model.requests[1]!.messages.at(-1)).toMatchObject({
      role: 'user',
      content: expect.stringContaining('limit'),
    });
    expect(result.messages.filter((message) => message.role === 'user')).toHaveLength(1);
  });

  it('is not reached by a run that answers in its last request with tools', async () => {
    const { tool } = counter();
    const model = scriptedModel([callTurn, 'Answer.']);
    const result = await runAgent({ model, tools: [tool], prompt: 'Go', permission: allowAll, maxToolIterations: 2 });
    expect(result).toMatchObject({ stopReason: 'finished', text: 'Answer.', turns: 2 });
  });

  it.each([
    ['structured', { text: 'So far.', calls: [{ name: 'count_up' }] }],
    ['text', { text: 'So far.\n<tool_call>\n{"name": "count_up", "arguments": {}}\n</tool_call>' }],
  ] as const)('answers %s calls of the last request without running them', async (origin, last) => {
    const { tool, count } = counter();
    const model = scriptedModel([callTurn, last]);
    const result = await runAgent({ model, tools: [tool], prompt: 'Go', permission: allowAll, maxToolIterations: 1 });
    expect(count()).toBe(1);
    expect(result.stopReason).toBe('limit');
    expect(result.text.trim()).toBe('So far.');
    expect(result.calls.at(-1)).toMatchObject({ origin, result: { ok: false, error: { code: 'LIMIT_REACHED' } } });
    expectPaired(result.messages);
    const next = scriptedModel(['Going on.']);
    expect(await runAgent({ model: next, messages: result.messages, prompt: 'Go on' })).toMatchObject({
      diagnostics: [],
    });
  });

  it('ends the run at once with onLimit error, and keeps everything', async () => {
    const { tool, count } = counter();
    const model = scriptedModel(turns(3));
    const result = await runAgent({
      model,
      tools: [tool],
      prompt: 'Go',
      permission: allowAll,
      maxToolIterations: 3,
      onLimit: 'error',
    });
    const message = 'the run reached its limit of 3 turns (maxToolIterations)';
    expect(result).toMatchObject({ stopReason: 'limit', turns: 3, error: { code: 'LIMIT_REACHED', message } });
    expect(count()).toBe(3);
    expect(result.calls.map((call) => call.result.ok)).toEqual([true, true, true]);
    expectPaired(result.messages);
  });

  it('is not extended by incoming messages', async () => {
    const steer = createSteerQueue();
    const again = (): string => {
      steer.steer('And now?', { trusted: true });
      return 'Answer.';
    };
    const model = scriptedModel([again, again, again]);
    const result = await runAgent({ model, prompt: 'Go', steer, maxToolIterations: 3, onLimit: 'error' });
    expect(result).toMatchObject({ stopReason: 'finished', turns: 3 });
    expect(steer.size).toBe(1);
  });

  it('stops a model that calls tools although no tools exist', async () => {
    const model = scriptedModel([...turns(2), 'Fine.']);
    const result = await runAgent({ model, prompt: 'Go', maxToolIterations: 2 });
    expect(result).toMatchObject({ stopReason: 'limit', text: 'Fine.' });
    expect(result.calls.every((call) => !call.result.ok && call.result.error.code === 'TOOL_NOT_FOUND')).toBe(true);
  });
});
