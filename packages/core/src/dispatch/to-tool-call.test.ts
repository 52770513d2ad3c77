import { extractToolCalls } from '@haft/repair/calls';
import { describe, expect, it } from 'vitest';
import { defineTool } from '../define/define-tool.ts';
import { ToolRegistry } from '../registry/tool-registry.ts';
import { createDispatcher } from './dispatcher.ts';
import { asCallableTools, toToolCall } from './to-tool-call.ts';

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
    const found = { name: 'write', arguments: {}, risk: 'truncated', complete: false, repairs: [] } as const;
    const result = await createDispatcher({ registry: [write] }).dispatch(toToolCall(found, 'c1', 'stop'));
    expect(result).toMatchObject({ ok: false, error: { code: 'TRUNCATED_ARGS' } });
  });
});
