import { describe, expect, it } from 'vitest';
import { createJsonStream, createToolCallStream, extractToolCalls, repairJson } from '../index.ts';

const tools = [{ name: 'send' }];
const remedy = 'Pass "stop" if the model stopped by itself ("stop", "tool-calls", "end_turn"), and otherwise "length"';

describe('wrong options', () => {
  it.each<readonly [string, () => unknown, string]>([
    [
      'a finish reason of the AI SDK',
      () => extractToolCalls('', { tools, stopped: 'tool-calls' } as never),
      `options.stopped is not valid (expected "stop" or "length", got "tool-calls"). ${remedy}`,
    ],
    ['the same for JSON', () => repairJson('{}', { stopped: 'tool-calls' } as never), 'got "tool-calls")'],
    ['the same at the end of a stream', () => createToolCallStream({ tools }).end('end_turn' as never), remedy],
    [
      'a schema under the name of the AI SDK and of MCP',
      () => extractToolCalls('', { tools: [{ name: 'send', inputSchema: {} }] } as never),
      'options.tools[0].inputSchema is not read (did you mean parameters?)',
    ],
    [
      'a schema under the name of Anthropic',
      () => createToolCallStream({ tools: [{ name: 'send', input_schema: {} }] } as never),
      'options.tools[0].input_schema is not read',
    ],
    [
      'a misspelt option',
      () => repairJson('{}', { rot: 'object' } as never),
      'repairJson: options.rot is not an option (expected one of schema, root, stopped',
    ],
    ['a misspelt limit', () => repairJson('{}', { limits: { dpeth: 1 } } as never), 'options.limits.dpeth is not'],
    ['an unknown root', () => repairJson('{}', { root: 'objct' } as never), 'expected "object" or "any", got "objct"'],
    ['a misspelt option of a stream', () => createJsonStream({ ondelta: () => {} } as never), 'options.ondelta is not'],
    ['a misspelt option for calls', () => extractToolCalls('', { tools, limit: {} } as never), 'options.limit is not'],
    ['tools by name', () => extractToolCalls('', { tools: { send: {} } } as never), 'options.tools must be an array'],
    ['a value that is not text', () => extractToolCalls(5 as never, { tools }), 'expected a string, got number'],
  ])('%s is refused with a code and the page that explains it', (_name, act, message) => {
    expect(act).toThrow(message);
    expect(act).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION', url: expect.stringMatching(/#repair-INVALID_OPTION$/) }),
    );
    expect(act).toThrow(TypeError);
  });

  it('are not confused with options that are undefined, or with other members of a tool', () => {
    const more = { name: 'send', description: 'Sends.', strict: true, parameters: {}, inputSchema: {} };
    expect(extractToolCalls('Hi.', { tools: [more], stopped: undefined } as never).text).toBe('Hi.');
    expect(repairJson('{}', { root: undefined, other: undefined } as never).ok).toBe(true);
  });
});
