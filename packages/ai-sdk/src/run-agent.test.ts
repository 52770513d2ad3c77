import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { allowAll, defineTool, type AnyTool } from '@haft/core';
import { runAgent, type AgentEvent } from '@haft/runner';
import { aiSdkModel } from './index.ts';
import { chunk, startChatServer, stream, type ChatServer, type WireAnswer } from './fixtures/chat-server.ts';

let server: ChatServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function modelFor(...answers: readonly WireAnswer[]) {
  server = await startChatServer(answers);
  const provider = createOpenAICompatible({ name: 'acme', baseURL: server.baseURL, apiKey: 'k', includeUsage: true });
  return aiSdkModel(provider.chatModel('m-1'));
}

const notes: string[] = [];
const writeNote = defineTool({
  name: 'write_note',
  description: 'Writes a note.',
  input: z.object({ text: z.string() }),
  execute: ({ text }) => {
    notes.push(text);
    return `wrote ${text.length} characters`;
  },
}) as AnyTool;

const retries = { delayMs: 1 };

describe('runAgent with a provider over HTTP', () => {
  it('runs a call and returns its result to the model', async () => {
    notes.length = 0;
    const call = { id: 'c1', name: 'write_note', arguments: '{"text":"Grüße 😀"}' };
    const model = await modelFor(
      {
        body: stream({ text: 'I write.', calls: [call], usage: { prompt_tokens: 5, completion_tokens: 2 } }),
        pieces: [3],
      },
      { body: stream({ text: 'Written.', usage: { prompt_tokens: 9, completion_tokens: 1 } }) },
    );
    const result = await runAgent({ model, tools: [writeNote], prompt: 'Write', permission: allowAll });
    expect(result).toMatchObject({ stopReason: 'finished', text: 'Written.', turns: 2 });
    expect(result.usage).toEqual({ inputTokens: 14, outputTokens: 3, totalTokens: 17 });
    expect(notes).toEqual(['Grüße 😀']);
    expect(server!.requests[1]!.messages).toMatchObject([
      { role: 'user', content: 'Write' },
      {
        role: 'assistant',
        content: 'I write.',
        tool_calls: [{ id: 'c1', function: { arguments: '{"text":"Grüße 😀"}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'wrote 8 characters' },
    ]);
  });

  it('sends damaged arguments back repaired, and calls found in text as structured calls', async () => {
    notes.length = 0;
    const model = await modelFor(
      { body: stream({ calls: [{ id: 'c1', name: 'write_note', arguments: "{text: 'one',}" }] }) },
      {
        body: stream({
          text: 'Once more.\n<tool_call>\n{"name": "write_note", "arguments": {"text": "two"}}\n</tool_call>',
        }),
      },
      { body: stream({ text: 'Done.' }) },
    );
    const result = await runAgent({ model, tools: [writeNote], prompt: 'Write', permission: allowAll });
    expect(notes).toEqual(['one', 'two']);
    expect(result.calls.map((call) => call.origin)).toEqual(['structured', 'text']);
    const sent = server!.requests[2]!.messages;
    expect(sent[1]).toMatchObject({ tool_calls: [{ function: { arguments: '{"text":"one"}' } }] });
    expect(sent[3]).toMatchObject({ tool_calls: [{ function: { name: 'write_note', arguments: '{"text":"two"}' } }] });
    expect(JSON.stringify(sent)).not.toContain('<tool_call>');
  });

  it('never runs a write that was truncated by the token limit', async () => {
    notes.length = 0;
    const model = await modelFor(
      {
        body: stream({ calls: [{ id: 'c1', name: 'write_note', arguments: '{"text":"half' }], finishReason: 'length' }),
      },
      { body: stream({ text: 'I see.' }) },
    );
    const result = await runAgent({ model, tools: [writeNote], prompt: 'Write', permission: allowAll });
    expect(notes).toEqual([]);
    expect(result.calls[0]!.result).toMatchObject({ ok: false, error: { code: 'TRUNCATED_ARGS' } });
    expect(String(server!.requests[1]!.messages[2]!['content'])).toContain('TRUNCATED_ARGS');
  });

  it('recovers from a rate limit, a server error, a cut connection and a damaged stream', async () => {
    const events: AgentEvent[] = [];
    const model = await modelFor(
      { status: 429, headers: { 'retry-after-ms': '2' }, body: '{"error":{"message":"slow down"}}' },
      { status: 503, body: '{}' },
      { body: chunk({ content: 'Hal' }), then: 'cut' },
      { body: `data: {"cho\n\n` },
      { body: stream({ text: 'Hello.' }) },
    );
    const result = await runAgent({
      model,
      prompt: 'Hi',
      retries: { ...retries, max: 4 },
      onEvent: (event) => events.push(event),
    });
    expect(result).toMatchObject({ stopReason: 'finished', text: 'Hello.', turns: 1 });
    const tried = events.filter((event) => event.type === 'retry');
    expect(tried.map((event) => event.attempt)).toEqual([1, 2, 3, 4]);
    expect(tried[0]).toMatchObject({ delayMs: 2, error: { details: { status: 429, retryAfterMs: 2 } } });
    expect(result.diagnostics).toHaveLength(4);
  });

  it('stops at once when a retry cannot help or the requested delay is too long', async () => {
    const body = JSON.stringify({ error: { message: `Incorrect API key provided: sk-${'a1'.repeat(12)}` } });
    const wrongKey = await runAgent({ model: await modelFor({ status: 401, body }), prompt: 'Hi', retries });
    expect(wrongKey.error?.message).toBe('HTTP 401: Incorrect API key provided: [redacted]');
    expect(wrongKey).toMatchObject({ stopReason: 'error', error: { code: 'MODEL_FAILED', fault: 'host' }, text: '' });
    expect(server!.requests).toHaveLength(1);
    await server!.close();
    const tooLong = await modelFor({ status: 429, headers: { 'retry-after': '3600' }, body: '{}' });
    expect(await runAgent({ model: tooLong, prompt: 'Hi', retries })).toMatchObject({ stopReason: 'error' });
    expect(server!.requests).toHaveLength(1);
  });

  it('ends a stream that stops sending', async () => {
    const silent: WireAnswer = { body: chunk({ content: 'Hal' }), then: 'hang' };
    const model = await modelFor(silent, { body: stream({ text: 'Hello.' }) });
    const result = await runAgent({ model, prompt: 'Hi', retries, idleTimeoutMs: 500 });
    expect(result).toMatchObject({ stopReason: 'finished', text: 'Hello.' });
    expect(result.diagnostics[0]!.message).toContain('sent nothing');
  });

  it('aborts within a response, and the next run continues from there', async () => {
    const model = await modelFor(
      { body: chunk({ content: 'Hal' }), then: 'hang' },
      { body: stream({ text: 'Hello again.' }) },
    );
    const controller = new AbortController();
    const aborted = await runAgent({
      model,
      prompt: 'Hi',
      signal: controller.signal,
      onEvent: (event) => {
        if (event.type === 'text') controller.abort();
      },
    });
    expect(aborted).toMatchObject({ stopReason: 'aborted', text: 'Hal' });
    const next = await runAgent({ model, messages: aborted.messages, prompt: 'Still there?' });
    expect(next).toMatchObject({ stopReason: 'finished', text: 'Hello again.' });
    expect(server!.requests[1]!.messages.map((message) => message['content'])).toEqual(['Hi', 'Hal', 'Still there?']);
  });
});
