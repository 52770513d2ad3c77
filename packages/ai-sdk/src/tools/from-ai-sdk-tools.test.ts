import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount, jsonSchema, tool, type ToolSet } from 'ai';
import { afterEach, describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { allowAll, createDispatcher, type ToolResult } from '@haft/core';
import { fromAiSdkTools, toAiSdkTools } from '../index.ts';
import { startChatServer, whole, type ChatServer } from '../fixtures/chat-server.ts';

let server: ChatServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** A model that makes these calls in its first turn and then ends. */
async function modelCalling(
  ...calls: readonly { readonly id: string; readonly name: string; readonly args: string }[]
) {
  const tool_calls = calls.map(({ id, name, args }) => ({ id, type: 'function', function: { name, arguments: args } }));
  server = await startChatServer([
    whole({ content: null, tool_calls }, 'tool_calls'),
    whole({ content: 'ok' }, 'stop'),
  ]);
  return createOpenAICompatible({ name: 'acme', baseURL: server.baseURL, apiKey: 'k' }).chatModel('m-1');
}

describe('fromAiSdkTools', () => {
  const tools: ToolSet = {
    length_of: tool({
      description: 'Tells how long.',
      inputSchema: z.object({ text: z.string().transform((text) => text.length) }),
      execute: ({ text }) => `${text} long`,
    }),
    count: tool({
      description: 'Counts.',
      inputSchema: jsonSchema<{ to: number }>({
        type: 'object',
        properties: { to: { type: 'integer' } },
        required: ['to'],
      }),
      async *execute({ to }) {
        for (let at = 1; at <= to; at += 1) yield `at ${at}`;
      },
    }),
    draw: tool({
      description: 'Draws.',
      inputSchema: z.object({}),
      execute: () => 'bytes',
      toModelOutput: () => ({ type: 'content', value: [{ type: 'image-data', data: 'AQID', mediaType: 'image/png' }] }),
    }),
    elsewhere: tool({ description: 'Runs in the browser.', inputSchema: z.object({}) }),
  };

  it('runs AI SDK tools through dispatch', async () => {
    const own = await fromAiSdkTools(tools);
    expect(own.map((each) => each.name)).toEqual(['length_of', 'count', 'draw']);
    const progress: unknown[] = [];
    const source = createDispatcher({ registry: own, permission: allowAll });
    const run = (name: string, args: unknown) =>
      source.dispatch({ id: name, name, arguments: args }, { onProgress: (update) => progress.push(update.message) });
    expect(await run('length_of', '{"text": "four"}')).toMatchObject({ ok: true, content: [{ text: '4 long' }] });
    expect(await run('length_of', {})).toMatchObject({ ok: false, error: { code: 'INVALID_ARGS' } });
    expect(await run('count', { to: '3' })).toMatchObject({ ok: true, content: [{ text: 'at 3' }] });
    expect(progress).toEqual(['at 1', 'at 2', 'at 3']);
    const drawn = await run('draw', {});
    expect(drawn.content).toEqual([{ type: 'image', data: new Uint8Array([1, 2, 3]), mediaType: 'image/png' }]);
  });

  it('assumes the most restrictive traits by default', async () => {
    const [unknown] = await fromAiSdkTools(tools);
    expect(unknown!.traits).toMatchObject({ readOnly: false, idempotent: false });
    const [known] = await fromAiSdkTools(tools, { traits: () => ({ readOnly: true }) });
    expect(known!.traits.readOnly).toBe(true);
  });
});

describe('AI SDK tools in the AI SDK loop, wrapped by Haft', () => {
  const seen: unknown[] = [];
  const charge = tool({
    description: 'Charges an account.',
    inputSchema: z.object({ amount: z.number() }),
    contextSchema: z.object({ account: z.string() }),
    execute: ({ amount }, { context, messages, toolCallId }) => {
      seen.push([toolCallId, amount, context.account, messages.length]);
      return `charged ${context.account}`;
    },
  });
  const greet = tool({ description: 'Greets.', inputSchema: z.object({}), execute: () => 'hi' });
  const pick = tool({ description: 'Runs in the browser.', inputSchema: z.object({}), outputSchema: z.string() });

  it('get the context and the messages of the call', async () => {
    const tools = toAiSdkTools(await fromAiSdkTools({ charge, greet }), { permission: allowAll });
    const run = async (account: string): Promise<unknown> => {
      const model = await modelCalling({ id: 'c1', name: 'charge', args: '{"amount":1}' });
      const result = await generateText({
        model,
        tools,
        prompt: 'Charge',
        toolsContext: { charge: { account } },
        stopWhen: isStepCount(2),
      });
      await server!.close();
      return result.steps[0]!.toolResults[0]!.output;
    };
    expect(await run('ada')).toMatchObject({ ok: true, content: [{ text: 'charged ada' }] });
    expect(await run('bob')).toMatchObject({ ok: true, content: [{ text: 'charged bob' }] });
    expect(seen).toEqual([
      ['c1', 1, 'ada', 1],
      ['c1', 1, 'bob', 1],
    ]);
  });

  it('keep the contexts of concurrent calls with the same id apart', async () => {
    const tools = toAiSdkTools(await fromAiSdkTools({ charge }), { permission: allowAll });
    const start = (account: string): Promise<unknown> =>
      Promise.resolve(
        tools.charge.execute(
          { amount: 1 },
          { toolCallId: 'same', messages: [], context: { account }, abortSignal: new AbortController().signal },
        ),
      );
    const results = await Promise.all([start('ada'), start('bob')]);
    expect(results).toMatchObject([{ content: [{ text: 'charged ada' }] }, { content: [{ text: 'charged bob' }] }]);
  });

  it('report a missing context to the developer, and take it from an option in other loops', async () => {
    const warnings: string[] = [];
    const bare = toAiSdkTools(await fromAiSdkTools({ charge }), {
      permission: allowAll,
      onWarning: (message) => warnings.push(message),
    });
    const failed: unknown = await bare.charge.execute(
      { amount: 1 },
      { toolCallId: 'c', messages: [], context: undefined as never },
    );
    expect(failed).toMatchObject({ ok: false, error: { message: 'charge failed with an internal error' } });
    expect(warnings).toEqual([expect.stringContaining('pass `toolsContext` to generateText, streamText or')]);
    const own = await fromAiSdkTools({ charge }, { toolsContext: { charge: { account: 'ada' } } });
    const source = createDispatcher({ registry: own, permission: allowAll });
    expect(await source.dispatch({ id: '1', name: 'charge', arguments: { amount: 1 } })).toMatchObject({
      ok: true,
      content: [{ text: 'charged ada' }],
    });
  });

  it('keep the names and the types of their inputs; tools without execute are missing', async () => {
    const tools = toAiSdkTools(await fromAiSdkTools({ charge, greet, pick }));
    expectTypeOf<keyof typeof tools>().toEqualTypeOf<'charge' | 'greet'>();
    expectTypeOf(tools.charge.execute).parameter(0).toEqualTypeOf<{ amount: number }>();
    expect(Object.keys(tools)).toEqual(['charge', 'greet']);
    const model = await modelCalling({ id: 'c1', name: 'greet', args: '{}' });
    const result = await generateText({
      model,
      tools: { ...tools, pick },
      toolsContext: { charge: { account: 'ada' } },
      prompt: 'Greet',
    });
    const [first] = result.toolResults;
    if (first?.toolName === 'greet' && first.dynamic !== true) expectTypeOf(first.output).toEqualTypeOf<ToolResult>();
  });
});

describe('needsApproval of an AI SDK tool', () => {
  const pay = (needsApproval: boolean | (() => boolean) | undefined) =>
    fromAiSdkTools(
      {
        pay: tool({
          description: 'Pays.',
          inputSchema: z.object({}),
          ...(needsApproval !== undefined && { needsApproval }),
          execute: () => 'paid',
        }),
      },
      { traits: () => ({ readOnly: true }), initialTitle: (name, args) => `${name} ${JSON.stringify(args)}` },
    );

  it('becomes the trait needsApproval, so that the tool does not run without an answer', async () => {
    for (const given of [true, () => false]) {
      const [tool] = await pay(given);
      expect(tool!.traits).toMatchObject({ readOnly: true, needsApproval: true });
      const source = createDispatcher({ registry: [tool!] });
      expect(await source.dispatch({ id: '1', name: 'pay', arguments: {} })).toMatchObject({
        error: { code: 'PERMISSION_DENIED', denial: { source: 'no-approver' } },
      });
    }
    for (const given of [false, undefined]) {
      const [tool] = await pay(given);
      expect(tool!.traits.needsApproval).toBeUndefined();
      expect(tool!.initialTitle!({ a: 1 })).toBe('pay {"a":1}');
    }
  });
});
