import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  createJsonStream,
  createToolCallStream,
  type Envelope,
  extractToolCalls,
  type JsonSchema,
  repairJson,
} from '../index.ts';

const tools = [{ name: 'send' }];
const remedy =
  'Pass "stop" if the model stopped by itself ("stop", "tool_calls", "tool-calls", "end_turn", "tool_use"), and otherwise "length"';

const envelopeTo = (end: number): Envelope => {
  const call = { name: 'send', arguments: {}, ending: 'closed', risk: 'none', repairs: [] } as const;
  return { name: 'bang', tier: 2, openers: ['!call'], read: () => ({ end, calls: [call] }) };
};
const readWith = (end: number) => extractToolCalls('Go: !call', { tools, envelopes: [envelopeTo(end)] });
const streamWith = (end: number) => {
  const stream = createToolCallStream({ tools, envelopes: [envelopeTo(end)] });
  stream.push('Go: !call');
  return stream.end();
};

describe('wrong options', () => {
  it.each<readonly [string, () => unknown, string]>([
    [
      'a finish reason of the AI SDK',
      () => extractToolCalls('', { tools, stopped: 'tool-calls' } as never),
      `extractToolCalls: options.stopped is not valid (expected "stop" or "length", got "tool-calls"). ${remedy}`,
    ],
    ['the same for JSON', () => repairJson('{}', { stopped: 'tool-calls' } as never), 'got "tool-calls")'],
    ['the same at the end of a stream', () => createToolCallStream({ tools }).end('end_turn' as never), remedy],
    [
      'a schema under the name of the AI SDK and of MCP',
      () => extractToolCalls('', { tools: [{ name: 'send', inputSchema: {} }] } as never),
      'extractToolCalls: options.tools[0].inputSchema is not read (did you mean parameters?)',
    ],
    [
      'a schema under the name of Anthropic',
      () => createToolCallStream({ tools: [{ name: 'send', input_schema: {} }] } as never),
      'createToolCallStream: options.tools[0].input_schema is not read',
    ],
    [
      'a schema under another name',
      () => extractToolCalls('', { tools: [{ name: 'send', input: { type: 'object' } }] } as never),
      'options.tools[0].input is not read (did you mean parameters?)',
    ],
    [
      'a misspelt option',
      () => repairJson('{}', { rot: 'object' } as never),
      'repairJson: options.rot is not an option (expected one of schema, root, stopped',
    ],
    ['a misspelt limit', () => repairJson('{}', { limits: { dpeth: 1 } } as never), 'options.limits.dpeth is not'],
    [
      'an unknown treatment of repeated keys',
      () => repairJson('{}', { limits: { duplicateKeys: 'error' as never } }),
      'options.limits.duplicateKeys is not valid (expected "last" or "report" or "refuse", got "error")',
    ],
    [
      'an unknown treatment of integers',
      () => createJsonStream({ limits: { unsafeIntegers: true as never } }),
      'options.limits.unsafeIntegers is not valid (expected "round" or "report" or "refuse", got boolean)',
    ],
    ['the same at the end of a stream of JSON', () => createJsonStream().end('end_turn' as never), remedy],
    ['an unknown root', () => repairJson('{}', { root: 'objct' } as never), 'expected "object" or "any", got "objct"'],
    ['a misspelt option of a stream', () => createJsonStream({ ondelta: () => {} } as never), 'options.ondelta is not'],
    ['a misspelt option for calls', () => extractToolCalls('', { tools, limit: {} } as never), 'options.limit is not'],
    ['tools by name', () => extractToolCalls('', { tools: { send: {} } } as never), 'options.tools must be an array'],
    ['an envelope that ends where it begins', () => readWith(4), 'returned the end 4 for a call that begins at 4'],
    ['an envelope that ends beyond the text', () => readWith(10), '(expected an offset from 5 to 9)'],
    ['the same in a stream', () => streamWith(0), 'of the envelope "bang" returned the end 0'],
    [
      'no options',
      () => repairJson('{}', null as never),
      'repairJson: options is not valid (expected an object, got null',
    ],
    [
      'a schema of Zod',
      () => repairJson('{}', { schema: z.object({ a: z.string() }) as never }),
      'options.schema is not valid (expected a JSON Schema, got an object). For Zod, pass z.toJSONSchema(schema)',
    ],
    [
      'the same for a tool',
      () => extractToolCalls('', { tools: [{ name: 'send', parameters: z.object({}) as never }] }),
      'options.tools[0].parameters is not valid (expected a JSON Schema',
    ],
    ['the name of a schema', () => repairJson('{}', { schema: 'user' as never }), 'a JSON Schema, got string'],
    [
      'a negative limit',
      () => repairJson('{}', { limits: { size: -5 } }),
      'options.limits.size is not valid (expected a number from 0 on, got -5)',
    ],
    [
      'the same for calls',
      () => extractToolCalls('', { tools, limits: { depth: Number.NaN } }),
      'limits.depth is not valid',
    ],
    [
      'a fallback that is no function',
      () => repairJson('{}', { fallback: 'jsonrepair' as never }),
      'options.fallback is not valid (expected a function, got string)',
    ],
    [
      'an observer that is no function',
      () => createJsonStream({ onDelta: 1 as never }),
      'options.onDelta is not valid',
    ],
    ['a chunk that is no text', () => createJsonStream().push({ delta: 'x' } as never), 'push: chunk is not valid'],
    ['the same for calls', () => createToolCallStream({ tools }).push(undefined as never), 'got undefined)'],
    [
      'an envelope by its name',
      () => extractToolCalls('', { tools, envelopes: ['hermes'] as never }),
      'options.envelopes[0] is not valid (expected an envelope, such as one of allEnvelopes, got string)',
    ],
    ['a value that is not text', () => extractToolCalls(5 as never, { tools }), 'expected a string, got 5'],
  ])('%s is refused with a code and the page that explains it', (_name, act, message) => {
    expect(act).toThrow(message);
    expect(act).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION', url: expect.stringMatching(/#repair-INVALID_OPTION$/) }),
    );
    expect(act).toThrow(TypeError);
  });

  it('are not confused with a JSON Schema that a library wrote', () => {
    const schema = z.toJSONSchema(z.object({ version: z.string() })) as JsonSchema;
    expect(repairJson('{version: 1.10}', { schema })).toMatchObject({ value: { version: '1.10' } });
  });

  it('are not confused with options that are undefined, or with other members of a tool', () => {
    const more = { name: 'send', description: 'Sends.', strict: true, parameters: {}, inputSchema: {} };
    expect(extractToolCalls('Hi.', { tools: [more], stopped: undefined } as never).text).toBe('Hi.');
    expect(repairJson('{}', { root: undefined, other: undefined } as never).ok).toBe(true);
  });
});
