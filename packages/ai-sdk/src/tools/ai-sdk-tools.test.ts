import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount, streamText, tool } from 'ai';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { allowAll, createDispatcher, defineTool, ToolRegistry, type AnyTool, type ToolResult } from '@haft/core';
import { repairToolCall, toAiSdkTools } from '../index.ts';
import { startChatServer, stream, whole, type ChatServer, type WireAnswer } from '../fixtures/chat-server.ts';

let server: ChatServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function modelFor(...answers: readonly WireAnswer[]) {
  server = await startChatServer(answers);
  return createOpenAICompatible({ name: 'acme', baseURL: server.baseURL, apiKey: 'k' }).chatModel('m-1');
}

const call = (id: string, name: string, args: string) => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});

const add = defineTool({
  name: 'add_numbers',
  description: 'Adds.',
  kind: 'read',
  input: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => ({ sum: a + b }),
}) as AnyTool;

const explode = defineTool({
  name: 'explode',
  description: 'Fails.',
  kind: 'read',
  input: { type: 'object' },
  execute: () => {
    throw new Error('cannot open /srv/inside/the/host');
  },
}) as AnyTool;

describe('toAiSdkTools', () => {
  it('runs tools in the AI SDK loop with unchanged schemas and the same results as in Haft', async () => {
    const model = await modelFor(
      whole({ content: null, tool_calls: [call('c1', 'add_numbers', '{"a":1,"b":2}')] }, 'tool_calls'),
      whole({ content: 'Three.' }, 'stop'),
    );
    const tools = toAiSdkTools(new ToolRegistry({ tools: [add] }));
    const result = await generateText({ model, tools, prompt: 'Add', stopWhen: isStepCount(3) });
    expect(result.text).toBe('Three.');
    expect(server!.requests[0]!.tools![0]!.function).toMatchObject({
      name: 'add_numbers',
      parameters: add.input.jsonSchema,
    });
    expect(server!.requests[1]!.messages.at(-1)).toMatchObject({
      role: 'tool',
      tool_call_id: 'c1',
      content: '{"sum":3}',
    });
    const output = result.steps[0]!.toolResults[0]!.output as ToolResult;
    expect(output).toMatchObject({ ok: true, structured: { sum: 3 }, callId: 'c1' });
  });

  it('lowers schemas to a dialect and raises arguments before the tool runs', async () => {
    const setEnvironment = defineTool({
      name: 'set_environment',
      description: 'Sets variables.',
      kind: 'read',
      input: z.object({ variables: z.record(z.string(), z.string()), scope: z.enum(['user', 'system']).optional() }),
      execute: (args) => JSON.stringify(args),
    }) as AnyTool;
    const args = '{"variables":[{"key":"CI","value":"1"}],"scope":null}';
    const model = await modelFor(
      whole({ content: null, tool_calls: [call('c1', 'set_environment', args)] }, 'tool_calls'),
      whole({ content: 'Set.' }, 'stop'),
    );
    const tools = toAiSdkTools([setEnvironment], { dialect: 'openai-strict' });
    const result = await generateText({ model, tools, prompt: 'Set', stopWhen: isStepCount(3) });
    const shown = server!.requests[0]!.tools![0]!.function as Record<string, unknown>;
    expect(shown).toMatchObject({ strict: true, parameters: { required: ['variables', 'scope'] } });
    expect(result.steps[0]!.toolResults[0]!.output).toMatchObject({
      ok: true,
      content: [{ text: '{"variables":{"CI":"1"}}' }],
    });
  });

  it('reports every failure as text without internal details', async () => {
    const calls = [call('c1', 'add_numbers', '{"a":"x"}'), call('c2', 'explode', '{}'), call('c3', 'write_note', '{}')];
    const write = defineTool({
      name: 'write_note',
      description: 'Writes.',
      input: { type: 'object' },
      execute: () => 'x',
    }) as AnyTool;
    const model = await modelFor(
      whole({ content: null, tool_calls: calls }, 'tool_calls'),
      whole({ content: 'ok' }, 'stop'),
    );
    const warnings: string[] = [];
    const tools = toAiSdkTools([add, explode, write], { onWarning: (message) => warnings.push(message) });
    const result = await generateText({ model, tools, prompt: 'Go', stopWhen: isStepCount(3) });
    const contents = server!.requests[1]!.messages.filter((message) => message['role'] === 'tool').map((message) =>
      String(message['content']),
    );
    expect(contents).toHaveLength(3);
    expect(contents[0]).toContain('INVALID_ARGS');
    expect(contents[1]).toContain('EXECUTION_ERROR');
    expect(contents[2]).toContain('PERMISSION_DENIED');
    expect(JSON.stringify([contents, result.steps[0]!.toolResults])).not.toContain('/srv/inside');
    expect(contents[1]).toContain('the tool explode failed: cannot open [path]');
    expect(warnings).toEqual([
      'EXECUTION_ERROR: explode threw: cannot open /srv/inside/the/host',
      expect.stringMatching(/^PERMISSION_DENIED: .*pass `permission: allowAll` or createPermissionEngine/),
    ]);
  });

  it('overlaps reads and keeps writes exclusive and in order within one turn', async () => {
    const log: string[] = [];
    const make = (name: string, kind: 'read' | 'edit') =>
      defineTool({
        name,
        description: 'Works.',
        kind,
        input: { type: 'object' },
        execute: async () => {
          log.push(`${name}+`);
          await new Promise((resolve) => setTimeout(resolve, 5));
          log.push(`${name}-`);
        },
      }) as AnyTool;
    const names = ['read_a', 'read_b', 'write_c', 'write_d'];
    const model = await modelFor(
      { body: stream({ calls: names.map((name) => ({ id: name, name, arguments: '{}' })) }) },
      { body: stream({ text: 'ok' }) },
    );
    const tools = toAiSdkTools(
      [make('read_a', 'read'), make('read_b', 'read'), make('write_c', 'edit'), make('write_d', 'edit')],
      { permission: allowAll },
    );
    const result = streamText({ model, tools, prompt: 'Go', stopWhen: isStepCount(3) });
    expect(await result.text).toBe('ok');
    expect(log).toEqual(['read_a+', 'read_b+', 'read_a-', 'read_b-', 'write_c+', 'write_c-', 'write_d+', 'write_d-']);
  });

  it('keeps that order when the calls of a turn arrive separately', async () => {
    const log: string[] = [];
    const gates = new Map<string, () => void>();
    const make = (name: string, kind: 'read' | 'edit') =>
      defineTool({
        name,
        description: 'Works.',
        kind,
        input: { type: 'object' },
        execute: () => {
          log.push(name);
          return new Promise<void>((resolve) => gates.set(name, resolve));
        },
      }) as AnyTool;
    const tools = toAiSdkTools([make('read_a', 'read'), make('write_b', 'edit'), make('read_c', 'read')], {
      permission: allowAll,
    });
    const pass = () => new Promise((resolve) => setTimeout(resolve, 5));
    const start = (name: string) =>
      Promise.resolve(tools[name]!.execute!({} as never, { toolCallId: name, messages: [], context: undefined }));
    const running = [start('read_a')];
    await pass();
    running.push(start('write_b'));
    await pass();
    running.push(start('read_c'));
    await pass();
    expect(log).toEqual(['read_a']);
    gates.get('read_a')!();
    await pass();
    expect(log).toEqual(['read_a', 'write_b']);
    gates.get('write_b')!();
    await pass();
    expect(log).toEqual(['read_a', 'write_b', 'read_c']);
    gates.get('read_c')!();
    await Promise.all(running);
  });

  it('includes media in the result', async () => {
    const draw = defineTool({
      name: 'draw',
      description: 'Draws.',
      kind: 'read',
      input: { type: 'object' },
      execute: () => new Uint8Array([0x89, 0x50, 0x4e, 0x47]),
    }) as AnyTool;
    const { draw: drawing } = toAiSdkTools(createDispatcher({ registry: [draw] }));
    const output: unknown = await drawing!.execute!({} as never, { toolCallId: 'c', messages: [], context: undefined });
    expect(
      await drawing!.toModelOutput!({ toolCallId: 'c', input: {} as never, output: output as never }),
    ).toMatchObject({
      type: 'content',
      value: [{ type: 'text' }, { type: 'file', mediaType: 'image/png' }],
    });
  });

  it('includes JSON values and matching files in the result, and names other resources', async () => {
    const part = (uri: string, type: string, read: () => Promise<Uint8Array> | string): object => ({
      type: 'resource',
      resource: { uri, name: uri.slice(7), type, read },
    });
    const pdf = new Uint8Array([0x25, 0x50, 0x44, 0x46]);
    const parts = [
      { type: 'text', text: 'Three files.' },
      part('file:///a.pdf', 'application/pdf', () => Promise.resolve(pdf)),
      part('file:///gone.pdf', 'application/pdf', () => Promise.reject(new Error('gone'))),
      part('file:///b.csv', 'text/csv', () => 'a,b'),
    ];
    const find = defineTool({
      name: 'find',
      description: 'Finds.',
      kind: 'read',
      input: {},
      execute: () => parts,
    }) as AnyTool;
    const given = async (fileTypes?: readonly string[]): Promise<unknown> => {
      const { find: tool } = toAiSdkTools([find], fileTypes && { fileTypes });
      const output: unknown = await tool!.execute!({} as never, { toolCallId: 'c', messages: [], context: undefined });
      return tool!.toModelOutput!({ toolCallId: 'c', input: {} as never, output: output as never });
    };
    const text = expect.stringMatching(
      /^Three files\.\n\[resource file:\/\/\/a\.pdf.*\n.*gone\.pdf.*\n.*b\.csv/,
    ) as string;
    const file = {
      type: 'file',
      data: { type: 'data', data: 'JVBERg==' },
      mediaType: 'application/pdf',
      filename: '/a.pdf',
    };
    expect(await given()).toEqual({ type: 'content', value: [{ type: 'text', text }, file] });
    const csv = { type: 'file', data: { type: 'text', text: 'a,b' }, mediaType: 'text/csv', filename: '/b.csv' };
    expect(await given(['text/*'])).toEqual({ type: 'content', value: [{ type: 'text', text }, csv] });
    expect(await given([])).toEqual({ type: 'text', value: text });

    const model = await modelFor(
      whole({ content: null, tool_calls: [call('c1', 'find', '{}')] }, 'tool_calls'),
      whole({ content: 'Found.' }, 'stop'),
    );
    await generateText({ model, tools: toAiSdkTools([find]), prompt: 'Find', stopWhen: isStepCount(3) });
    const rendered = JSON.stringify(server!.requests[1]!.messages.at(-1));
    expect(rendered).toContain('application/pdf');
    expect(rendered).toContain('JVBERg==');
    const { add_numbers: adding } = toAiSdkTools([add]);
    const sum: unknown = await adding!.execute!({ a: 1, b: 2 } as never, {
      toolCallId: 'c',
      messages: [],
      context: undefined,
    });
    expect(await adding!.toModelOutput!({ toolCallId: 'c', input: {} as never, output: sum as never })).toEqual({
      type: 'json',
      value: { sum: 3 },
    });
  });

  it('cancels calls with the signal of the loop', async () => {
    const wait = defineTool({
      name: 'wait',
      description: 'Waits.',
      kind: 'read',
      input: { type: 'object' },
      execute: (_, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
    }) as AnyTool;
    const controller = new AbortController();
    const { wait: waiting } = toAiSdkTools([wait]);
    const pending = waiting!.execute!({} as never, {
      toolCallId: 'c',
      messages: [],
      context: undefined,
      abortSignal: controller.signal,
    });
    setTimeout(() => controller.abort(), 10);
    expect(await pending).toMatchObject({ ok: false, error: { code: 'ABORTED' } });
  });

  it('prints why a permission engine failed, unless an observer receives it', async () => {
    const printed = vi.spyOn(console, 'warn').mockImplementation(() => {});
    try {
      const permission = { ask: () => true } as never;
      const events: unknown[] = [];
      const start = ({ add_numbers: tool }: ReturnType<typeof toAiSdkTools>): Promise<unknown> =>
        Promise.resolve(tool!.execute({ a: 1, b: 2 }, { toolCallId: 'c', messages: [], context: undefined }));
      expect(await start(toAiSdkTools([add], { permission }))).toMatchObject({
        error: { code: 'PERMISSION_ENGINE_FAILED', message: 'add_numbers failed with an internal error' },
      });
      expect(printed).toHaveBeenCalledExactlyOnceWith(
        expect.stringContaining('got true); to ask a person, pass createPermissionEngine({ ask }) of @haft/permission'),
        expect.any(TypeError),
      );
      await start(toAiSdkTools([add], { permission, observer: (event) => events.push(event) }));
      expect(printed).toHaveBeenCalledTimes(1);
      expect(events).toContainEqual(
        expect.objectContaining({ error: expect.objectContaining({ code: 'PERMISSION_ENGINE_FAILED' }) as unknown }),
      );
    } finally {
      printed.mockRestore();
    }
  });

  it('returns a result even if a source violates its contract', async () => {
    const good = createDispatcher({ registry: [add] });
    const onWarning = (): void => {};
    const broken = toAiSdkTools({ ...good, dispatchBatch: () => Promise.reject(new Error('broken')) }, { onWarning });
    const short = toAiSdkTools({ ...good, dispatchBatch: () => Promise.resolve([]) }, { onWarning });
    for (const tools of [broken, short]) {
      const output: unknown = await tools['add_numbers']!.execute!({} as never, {
        toolCallId: 'c',
        messages: [],
        context: undefined,
      });
      expect(output).toMatchObject({ ok: false, callId: 'c', error: { code: 'EXECUTION_ERROR' } });
    }
  });
});

describe('repairToolCall', () => {
  it('lets the AI SDK run calls with broken JSON', async () => {
    const model = await modelFor(
      whole({ content: null, tool_calls: [call('c1', 'add_numbers', "{a: 1, 'b': 2,}")] }, 'tool_calls'),
      whole({ content: 'Three.' }, 'stop'),
    );
    const result = await generateText({
      model,
      tools: toAiSdkTools([add]),
      prompt: 'Add',
      stopWhen: isStepCount(3),
      repairToolCall,
    });
    expect(result.steps[0]!.toolResults[0]!.output).toMatchObject({ ok: true, structured: { sum: 3 } });
  });

  it('lets a tool of the AI SDK run with a value of a near type', async () => {
    const model = await modelFor(
      whole({ content: null, tool_calls: [call('c1', 'add_numbers', '{"a": "1", "b": 2}')] }, 'tool_calls'),
      whole({ content: 'Three.' }, 'stop'),
    );
    const addNumbers = tool({
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      execute: ({ a, b }) => a + b,
    });
    const tools = { add_numbers: addNumbers };
    const result = await generateText({ model, tools, prompt: 'Add', stopWhen: isStepCount(3), repairToolCall });
    expect(result.steps[0]!.toolResults[0]!.output).toBe(3);
  });

  it('leaves the transforms of a schema to the AI SDK', async () => {
    const model = await modelFor(
      whole({ content: null, tool_calls: [call('c1', 'pay', '{euros: "3"}')] }, 'tool_calls'),
      whole({ content: 'Paid.' }, 'stop'),
    );
    const pay = tool({
      inputSchema: z.object({ euros: z.number().transform((euros) => euros * 100) }),
      execute: ({ euros }) => euros,
    });
    const result = await generateText({
      model,
      tools: { pay },
      prompt: 'Pay',
      stopWhen: isStepCount(3),
      repairToolCall,
    });
    expect(result.steps[0]!.toolResults[0]!.output).toBe(300);
  });

  it('leaves valid JSON that does not fit the schema to the validation of the AI SDK', async () => {
    const inputSchema = () => Promise.resolve({ type: 'object', properties: { a: { type: 'integer' } } });
    const ask = (input: string) =>
      repairToolCall({ toolCall: { type: 'tool-call', toolCallId: 'c', toolName: 'known', input }, inputSchema });
    expect(await ask('{"a":"many"}')).toBeNull();
    expect(await ask('{a:"many"}')).toMatchObject({ input: '{"a":"many"}' });
  });

  it('returns null for truncated arguments and unknown tools', async () => {
    const inputSchema = ({ toolName }: { toolName: string }) =>
      toolName === 'known' ? Promise.resolve({ type: 'object' }) : Promise.reject(new Error('no such tool'));
    const ask = (toolName: string, input: string) =>
      repairToolCall({ toolCall: { type: 'tool-call', toolCallId: 'c', toolName, input }, inputSchema });
    expect(await ask('known', '{"text":"half')).toBeNull();
    expect(await ask('known', '{"text":1}')).toBeNull();
    expect(await ask('unknown', '{a:1}')).toBeNull();
    expect(await ask('known', '{a:1}')).toMatchObject({ input: '{"a":1}' });
  });
});
