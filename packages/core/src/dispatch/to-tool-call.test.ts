import { extractToolCalls } from '@haft/repair/calls';
import { describe, expect, it } from 'vitest';
import { defineTool } from '../define/define-tool.ts';
import { ToolRegistry } from '../registry/tool-registry.ts';
import { createDispatcher } from './dispatcher.ts';
import { asCallableTools, toToolCall } from './to-tool-call.ts';

const found = { name: 'write', arguments: {}, risk: 'truncated', complete: false, repairs: [] } as const;

describe('toToolCall', () => {
  it('keeps the repairs of a call found in text', async () => {
    const look = defineTool({
      name: 'look',
      description: 'd',
      kind: 'read',
      input: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      execute: ({ path }) => `at ${path}`,
    });
    const dispatcher = createDispatcher({ registry: new ToolRegistry({ tools: [look] }) });
    const text = '<tool_call>{name: "look", arguments: {path: \'a\'}}</tool_call>';
    const { calls } = extractToolCalls(text, { tools: asCallableTools(dispatcher.snapshot()), stopped: 'stop' });
    const result = await dispatcher.dispatch(toToolCall(calls[0]!, 'c1', 'stop'));
    expect(result).toMatchObject({ ok: true, content: [{ text: 'at a' }], arguments: { risk: 'safe' } });
  });

  it('marks truncated arguments so that they are rejected', async () => {
    const write = defineTool({
      name: 'write',
      description: 'd',
      kind: 'edit',
      input: { type: 'object' },
      execute: () => 'x',
    });
    const result = await createDispatcher({ registry: [write] }).dispatch(toToolCall(found, 'c1', 'stop'));
    expect(result).toMatchObject({ ok: false, error: { code: 'TRUNCATED_ARGS' } });
  });

  it.each([
    [[found, 'c1', 'tool_calls'], 'stopped is not valid (expected "stop" if the model ended its message by itself'],
    [[found, undefined], 'id is not valid (expected a string that is not empty, got undefined)'],
    [[undefined, 'c1'], 'its first argument is not valid (expected a call that extractToolCalls returned'],
  ])('rejects the arguments %j, as extractToolCalls rejects its own', (given, message) => {
    const convert = toToolCall as (...given: unknown[]) => unknown;
    expect(() => convert(...given)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION', message: expect.stringContaining(`toToolCall: ${message}`) }),
    );
  });
});

describe('asCallableTools', () => {
  it('is needed for tools of defineTool, and extractToolCalls says so', () => {
    const tools = [defineTool({ name: 'now', description: 'd', kind: 'read', execute: () => 'noon' })];
    expect(() => extractToolCalls('', { tools: tools as never })).toThrow(
      'options.tools[0].input is not read (for tools of @haft/core, pass asCallableTools(dispatcher.snapshot()))',
    );
  });
});
