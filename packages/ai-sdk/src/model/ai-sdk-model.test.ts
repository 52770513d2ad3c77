import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { afterEach, describe, expect, it } from 'vitest';
import type { Message, ModelEvent, ModelRequest, ModelTool } from '@haft/core';
import { aiSdkModel, ModelFailure } from '../index.ts';
import {
  chunk,
  done,
  event,
  startChatServer,
  stream,
  type ChatServer,
  type WireAnswer,
} from '../fixtures/chat-server.ts';

let server: ChatServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const tool: ModelTool = {
  name: 'write_note',
  description: 'Writes.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
};

async function modelFor(...answers: readonly WireAnswer[]) {
  return aiSdkModel(await languageModelFor(...answers));
}

async function languageModelFor(...answers: readonly WireAnswer[]) {
  server = await startChatServer(answers);
  const provider = createOpenAICompatible({ name: 'acme', baseURL: server.baseURL, apiKey: 'k', includeUsage: true });
  return provider.chatModel('m-1');
}

async function ask(
  model: Awaited<ReturnType<typeof modelFor>>,
  request: Partial<ModelRequest> = {},
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  const messages: readonly Message[] = [{ role: 'user', content: 'Hi' }];
  for await (const item of model.generate({ messages, tools: [], ...request })) events.push(item);
  return events;
}

async function failureOf(
  model: Awaited<ReturnType<typeof modelFor>>,
  request: Partial<ModelRequest> = {},
): Promise<ModelFailure> {
  try {
    await ask(model, request);
  } catch (error) {
    if (error instanceof ModelFailure) return error;
    throw error;
  }
  throw new Error('the model answered');
}

const textOf = (events: readonly ModelEvent[]): string =>
  events.map((item) => (item.type === 'text' ? item.text : '')).join('');

describe('aiSdkModel with the OpenAI-compatible wire format', () => {
  it('streams reasoning, text, usage and the finish reason', async () => {
    const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
    const model = await modelFor({ body: stream({ reasoning: 'Well, well', text: 'Grüße 👋 aus', usage }) });
    const events = await ask(model);
    expect(model).toMatchObject({ name: 'm-1', vendor: 'acme' });
    expect(textOf(events)).toBe('Grüße 👋 aus');
    expect(events.filter((item) => item.type === 'text').length).toBeGreaterThan(1);
    expect(events.map((item) => (item.type === 'reasoning' ? item.text : '')).join('')).toBe('Well, well');
    expect(events.slice(-2)).toEqual([
      { type: 'usage', usage: { inputTokens: 11, outputTokens: 7, totalTokens: 18 } },
      { type: 'finish', reason: 'stop' },
    ]);
  });

  it.each([1, 2, 3, 5, 7, 11, 64])('reads calls from chunks of %i bytes', async (size) => {
    const args = [JSON.stringify({ text: 'ä"\\n\u{1f600}{}[]' }), '{"text": "zwei"}'];
    const body = stream({
      text: 'Ich schreibe: 😀',
      calls: args.map((text, index) => ({ id: `id-${index}`, name: 'write_note', arguments: text })),
    });
    const events = await ask(await modelFor({ body, pieces: [size] }), { tools: [tool] });
    expect(textOf(events)).toBe('Ich schreibe: 😀');
    const calls = events.filter((item) => item.type === 'tool-call');
    expect(calls.map((call) => [call.id, call.arguments])).toEqual([
      ['id-0', args[0]],
      ['id-1', args[1]],
    ]);
    for (const call of calls) {
      const deltas = events.map((item) => (item.type === 'tool-call-delta' && item.id === call.id ? item.text : ''));
      expect(deltas.join('')).toBe(call.arguments);
      expect(events.findIndex((item) => item.type === 'tool-call-start' && item.id === call.id)).toBeLessThan(
        events.indexOf(call),
      );
    }
    expect(events.at(-1)).toEqual({ type: 'finish', reason: 'tool-calls' });
  });

  it.each([
    ['stop', 'stop'],
    ['tool_calls', 'tool-calls'],
    ['length', 'length'],
    ['content_filter', 'content-filter'],
    ['something_new', 'unknown'],
  ])('maps the finish reason %s to %s', async (wire, reason) => {
    const events = await ask(await modelFor({ body: stream({ text: 'x', finishReason: wire }) }));
    expect(events.at(-1)).toEqual({ type: 'finish', reason });
  });

  it('lowers tools and earlier calls to a dialect and raises new calls', async () => {
    const find: ModelTool = {
      name: 'find',
      description: 'Finds.',
      inputSchema: {
        type: 'object',
        properties: { text: { type: 'string' }, labels: { type: 'object', additionalProperties: { type: 'string' } } },
        required: ['text'],
        additionalProperties: false,
      },
    };
    const written = '{"text":"a","labels":[{"key":"b","value":"c"}]}';
    const cut = '{"text":"a","labels":[{"key"';
    const calls = [written, cut].map((text, index) => ({ id: `c${index}`, name: 'find', arguments: text }));
    const language = await languageModelFor({ body: stream({ calls }) });
    const messages: readonly Message[] = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'c', name: 'find', arguments: { text: 'x' } }] },
      { role: 'tool', callId: 'c', name: 'find', content: [{ type: 'text', text: 'none' }], isError: false },
    ];
    const model = aiSdkModel(language, { dialect: 'openai-strict' });
    const events = await ask(model, { tools: [find, tool], messages });
    const given = events.flatMap((item) => (item.type === 'tool-call' ? [item.arguments] : []));
    expect(given).toEqual(['{"text":"a","labels":{"b":"c"}}', cut]);
    const { tools, messages: sent } = server!.requests[0]!;
    expect(tools![0]!.function).toMatchObject({ strict: true, parameters: { required: ['text', 'labels'] } });
    expect(JSON.stringify(sent)).toContain(JSON.stringify('{"text":"x","labels":null}').slice(1, -1));
  });

  it('refuses an unknown dialect', async () => {
    const language = await languageModelFor();
    expect(() => aiSdkModel(language, { dialect: 'acme' as 'openai' })).toThrow(/acme/);
  });

  it('passes truncated arguments on unchanged with the finish reason', async () => {
    const body = stream({
      calls: [{ id: 'a', name: 'write_note', arguments: '{"text":"half' }],
      finishReason: 'length',
    });
    const events = await ask(await modelFor({ body }), { tools: [tool] });
    expect(events).toContainEqual({ type: 'tool-call', id: 'a', name: 'write_note', arguments: '{"text":"half' });
    expect(events.at(-1)).toEqual({ type: 'finish', reason: 'length' });
  });

  it.each([
    [401, false, 'host'],
    [404, false, 'host'],
    [429, true, 'world'],
    [500, true, 'world'],
    [503, true, 'world'],
  ])('reports status %i as retryable: %s, fault %s', async (status, retryable, fault) => {
    const failure = await failureOf(await modelFor({ status, body: '{"error":{"message":"no luck"}}' }));
    expect(failure).toMatchObject({ code: 'MODEL_FAILED', retryable, fault, details: { status } });
    expect(failure.message).toContain('no luck');
    expect(server!.requests).toHaveLength(1);
  });

  it.each([
    [{ 'retry-after': '3' }, 3000],
    [{ 'retry-after-ms': '250', 'retry-after': '3' }, 250],
    [{ 'retry-after': '-3' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('reads the retry delay from %o', async (headers, retryAfterMs) => {
    const failure = await failureOf(
      await modelFor({ status: 429, headers: headers as Record<string, string>, body: '{}' }),
    );
    expect(failure.details['retryAfterMs']).toBe(retryAfterMs);
  });

  it('reads a Retry-After date', async () => {
    const headers = { 'retry-after': new Date(Date.now() + 60_000).toUTCString() };
    const failure = await failureOf(await modelFor({ status: 429, headers, body: '{}' }));
    expect(failure.details['retryAfterMs']).toBeGreaterThan(50_000);
    expect(failure.details['retryAfterMs']).toBeLessThanOrEqual(60_000);
  });

  it('reports an unreachable server as retryable', async () => {
    const model = await modelFor();
    await server!.close();
    expect(await failureOf(model)).toMatchObject({ retryable: true });
  });

  it('reports a connection cut mid-stream as retryable', async () => {
    const model = await modelFor({ body: chunk({ content: 'Hel' }), then: 'cut' });
    expect(await failureOf(model)).toMatchObject({ retryable: true });
  });

  it('reports a stream without a finish event as retryable, also within a call', async () => {
    const body = chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'write_note', arguments: '{"te' } }] });
    const model = await modelFor({ body });
    expect(await failureOf(model, { tools: [tool] })).toMatchObject({ retryable: true });
  });

  it('reports invalid JSON events as retryable', async () => {
    const body = `${chunk({ content: 'Hel' })}data: {"choices": [{"de\n\n${chunk({ content: 'lo' }, 'stop')}${done}`;
    expect(await failureOf(await modelFor({ body }))).toMatchObject({ retryable: true });
  });

  it.each([
    [{ message: 'Overloaded', type: 'overloaded_error' }, true],
    [{ message: 'prompt too long', code: 'context_length_exceeded' }, false],
  ])('reads an error inside the stream: %o', async (error, retryable) => {
    const model = await modelFor({ body: `${chunk({ content: 'Hel' })}${event({ error })}` });
    expect(await failureOf(model)).toMatchObject({ retryable, message: error.message });
  });

  it.each([
    ['text/html; charset=utf-8', '<!doctype html><html><title>Welcome</title></html>'],
    ['text/plain', 'hello'],
  ])('reports that %s does not come from a model API, without a retry', async (type, body) => {
    const failure = await failureOf(await modelFor({ headers: { 'content-type': type }, body }));
    const plain = type.split(';')[0]!;
    expect(failure).toMatchObject({ retryable: false, fault: 'host', details: { contentType: plain } });
    expect(failure.message).toContain(`returned ${plain}`);
    expect(failure.message).toContain('does not look like an OpenAI-compatible API');
  });

  it('accepts events with an inaccurate content type', async () => {
    const headers = { 'content-type': 'text/plain' };
    expect(textOf(await ask(await modelFor({ headers, body: stream({ text: 'Hello' }) })))).toBe('Hello');
    const late = await failureOf(await modelFor({ headers, body: chunk({ content: 'Hel' }) }));
    expect(late).toMatchObject({ retryable: true });
  });

  it('reports how a response was cut off', async () => {
    const failure = await failureOf(await modelFor({ body: chunk({ content: 'Hel' }), then: 'cut' }));
    expect(failure.message).toMatch(/^the response was cut off or could not be read: \S/);
    expect(failure.message).not.toContain('HTTP 200');
  });

  it('does not say that it could not connect if the server closed the connection before it responded', async () => {
    const failure = await failureOf(await modelFor({ body: '', then: 'close' }));
    expect(failure).toMatchObject({ retryable: true });
    expect(failure.message).toMatch(/^the connection was closed before the response began: \S/);
  });

  it.each([
    ['text/plain', 'the database is down, token=sk-abcdefghijklmnopqrstuvwxyz012345', 'the database is down'],
    ['application/json', '{"detail":"deep inside"}', 'deep inside'],
    ['text/html', '<html><style>h1{}</style><h1>Bad</h1><p>gate\u001b[2J</p></html>', 'Bad gate'],
    ['text/plain', `long ${'x'.repeat(100_000)}`, 'long xxx'],
  ])('reports the beginning of a %s error body: %s', async (type, body, expected) => {
    const failure = await failureOf(await modelFor({ status: 500, headers: { 'content-type': type }, body }));
    expect(failure.message).toMatch(/^HTTP 500: Internal Server Error: /);
    expect(failure.message).toContain(expected);
    expect(failure.message).not.toMatch(/sk-abc|<|\u001b|h1\{/);
    expect(failure.message.length).toBeLessThan(400);
  });

  it('ends the request when its signal aborts', async () => {
    const model = await modelFor({ body: chunk({ content: 'Hel' }), then: 'hang' });
    const controller = new AbortController();
    const asking = (async () => {
      for await (const item of model.generate({
        messages: [{ role: 'user', content: 'Hi' }],
        tools: [],
        signal: controller.signal,
      })) {
        if (item.type === 'text') controller.abort();
      }
    })();
    await expect(asking).rejects.toThrow(/abort/i);
  });

  it('sends calls, results, errors and images of the conversation', async () => {
    const model = await modelFor({ body: stream({ text: 'ok' }) });
    const image = new Uint8Array([1, 2, 3]);
    await ask(model, {
      tools: [tool],
      temperature: 0.5,
      maxOutputTokens: 99,
      messages: [
        { role: 'system', content: 'Be kind.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look' },
            { type: 'image', data: image, mediaType: 'image/png' },
          ],
        },
        {
          role: 'assistant',
          content: '',
          toolCalls: [
            { id: 'a', name: 'draw', arguments: { x: 1 } },
            { id: 'b', name: 'draw', arguments: 'unreadable {' },
          ],
        },
        {
          role: 'tool',
          callId: 'a',
          name: 'draw',
          isError: false,
          content: [
            { type: 'text', text: 'drawn' },
            { type: 'image', data: image, mediaType: 'image/png' },
          ],
        },
        { role: 'tool', callId: 'b', name: 'draw', isError: true, content: [{ type: 'text', text: 'Error' }] },
      ],
    });
    const request = server!.requests[0]!;
    expect(request).toMatchObject({ model: 'm-1', temperature: 0.5, max_tokens: 99, stream: true });
    expect(request.tools![0]!.function).toMatchObject({ name: 'write_note', parameters: tool.inputSchema });
    const url = 'data:image/png;base64,AQID';
    expect(request.messages).toMatchObject([
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: [{ type: 'text' }, { type: 'image_url', image_url: { url } }] },
      {
        role: 'assistant',
        tool_calls: [
          { id: 'a', function: { name: 'draw', arguments: '{"x":1}' } },
          { id: 'b', function: { name: 'draw', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'drawn' },
      { role: 'tool', tool_call_id: 'b', content: 'Error' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Output of draw (call a):' },
          { type: 'image_url', image_url: { url } },
        ],
      },
    ]);
  });

  it('sends no tools member without tools', async () => {
    const model = await modelFor({ body: stream({ text: 'ok' }) });
    await ask(model);
    expect(server!.requests[0]).not.toHaveProperty('tools');
    expect(server!.requests[0]).not.toHaveProperty('tool_choice');
  });

  it('sends the vendor data of calls and reasoning back', async () => {
    const signed = {
      index: 0,
      id: 'a',
      function: { name: 'draw', arguments: '{}' },
      extra_content: { google: { thought_signature: 'SIG' } },
    };
    const model = await modelFor(
      { body: `${chunk({ reasoning_content: 'Hmm' })}${chunk({ tool_calls: [signed] }, 'tool_calls')}${done}` },
      { body: stream({ text: 'ok' }) },
    );
    await ask(model, { tools: [tool] });
    await ask(model, {
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'draw', arguments: {} }] },
        { role: 'tool', callId: 'a', name: 'draw', content: [], isError: false },
      ],
    });
    expect(server!.requests[1]!.messages[1]).toMatchObject({
      reasoning_content: 'Hmm',
      tool_calls: [{ extra_content: { google: { thought_signature: 'SIG' } } }],
    });
  });
});
