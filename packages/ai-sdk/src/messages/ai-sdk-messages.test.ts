import type { LanguageModelV3, LanguageModelV3CallOptions } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { HaftError, type Message, type ModelEvent, type Resource } from '@haft/core';
import { aiSdkModel, fromAiSdkMessages, toAiSdkMessages } from '../index.ts';

const image = { type: 'image', data: new Uint8Array([1, 2, 3]), mediaType: 'image/png' } as const;

const conversation: readonly Message[] = [
  { role: 'system', content: 'Be kind.' },
  { role: 'user', content: [{ type: 'text', text: 'Look' }, image] },
  {
    role: 'assistant',
    content: 'I draw.',
    toolCalls: [
      { id: 'a', name: 'draw', arguments: { x: 1 } },
      { id: 'b', name: 'draw', arguments: {} },
    ],
  },
  { role: 'tool', callId: 'a', name: 'draw', content: [{ type: 'text', text: 'drawn' }, image], isError: false },
  { role: 'tool', callId: 'b', name: 'draw', content: [{ type: 'text', text: 'no pen' }], isError: true },
  { role: 'assistant', content: 'Done.' },
];

describe('converted conversations', () => {
  it('are unchanged after a round trip through the AI SDK', () => {
    const there = toAiSdkMessages(conversation);
    expect(there.map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant']);
    const back = fromAiSdkMessages(there);
    expect(back[1]).toEqual({ role: 'user', content: [{ type: 'text', text: 'Look' }, image] });
    expect(back).toEqual(conversation);
  });

  it('accept every form that the AI SDK allows', () => {
    const url = new URL('https://example.org/a.png');
    const messages = fromAiSdkMessages([
      { role: 'user', content: 'Hi' },
      {
        role: 'user',
        content: [
          { type: 'image', image: 'AQID' },
          { type: 'image', image: 'data:image/png;base64,AQID', mediaType: 'image/png' },
          { type: 'image', image: url },
          { type: 'file', data: new Uint8Array([1, 2, 3]).buffer, mediaType: 'audio/wav' },
          { type: 'file', data: { type: 'data', data: 'AQID' }, mediaType: 'application/pdf' },
          { type: 'file', data: { type: 'text', text: 'note' }, mediaType: 'text/plain' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm' },
          { type: 'text', text: 'A' },
          { type: 'text', text: 'B' },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'a', toolName: 't', output: { type: 'json', value: { n: 1 } } },
          { type: 'tool-result', toolCallId: 'b', toolName: 't', output: { type: 'execution-denied', reason: 'no' } },
          { type: 'tool-result', toolCallId: 'c', toolName: 't', output: { type: 'error-json', value: [1] } },
          { type: 'tool-approval-response', approvalId: 'x', approved: true },
        ],
      },
    ]);
    const bytes = new Uint8Array([1, 2, 3]);
    expect(messages).toEqual([
      { role: 'user', content: 'Hi' },
      {
        role: 'user',
        content: [
          { type: 'image', data: bytes, mediaType: 'image/*' },
          { type: 'image', data: bytes, mediaType: 'image/png' },
          { type: 'text', text: '[file https://example.org/a.png]' },
          { type: 'audio', data: bytes, mediaType: 'audio/wav' },
          {
            type: 'resource',
            resource: expect.objectContaining({ name: 'file', type: 'application/pdf' }) as Resource,
          },
          { type: 'text', text: 'note' },
        ],
      },
      { role: 'assistant', content: 'AB', reasoning: 'Hm' },
      { role: 'tool', callId: 'a', name: 't', content: [{ type: 'json', value: { n: 1 } }], isError: false },
      { role: 'tool', callId: 'b', name: 't', content: [{ type: 'text', text: 'no' }], isError: true },
      { role: 'tool', callId: 'c', name: 't', content: [{ type: 'json', value: [1] }], isError: true },
    ]);
  });

  it('survive storage as JSON, except for bytes', () => {
    const stored = JSON.parse(JSON.stringify(conversation)) as Message[];
    expect(toAiSdkMessages(stored)[3]).toMatchObject({
      content: [{ output: { type: 'text' } }, { output: { type: 'error-text' } }],
    });
  });
});

describe('a model of specification v3', () => {
  const calls: LanguageModelV3CallOptions[] = [];
  const model: LanguageModelV3 = {
    specificationVersion: 'v3',
    provider: 'acme.chat',
    modelId: 'old',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('not used')),
    doStream: (options) => {
      calls.push(options);
      const usage = {
        inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: undefined, text: undefined, reasoning: undefined },
      };
      const stream = new ReadableStream({
        start(controller) {
          controller.enqueue({ type: 'text-delta', id: 't', delta: 'Hi' });
          controller.enqueue({ type: 'tool-input-start', id: 'v', toolName: 'search', providerExecuted: true });
          controller.enqueue({ type: 'tool-input-delta', id: 'v', delta: '{}' });
          controller.enqueue({
            type: 'tool-call',
            toolCallId: 'v',
            toolName: 'search',
            input: '{}',
            providerExecuted: true,
          });
          controller.enqueue({ type: 'finish', usage, finishReason: { unified: 'other', raw: 'odd' } });
          controller.close();
        },
      });
      return Promise.resolve({ stream });
    },
  };

  it('gets the conversation in the v3 format', async () => {
    const events: ModelEvent[] = [];
    const own = aiSdkModel(model, { mediaInResults: 'inline', settings: { topP: 0.5 } });
    for await (const event of own.generate({ messages: conversation, tools: [] })) events.push(event);
    expect(own).toMatchObject({ name: 'old', vendor: 'acme' });
    expect(calls[0]).toMatchObject({ topP: 0.5 });
    expect(calls[0]!.prompt[1]).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: 'Look' },
        { type: 'file', data: image.data, mediaType: 'image/png' },
      ],
    });
    expect(calls[0]!.prompt[3]).toMatchObject({
      content: [
        { output: { type: 'content', value: [{ type: 'text' }, { type: 'image-data', data: 'AQID' }] } },
        { output: { type: 'error-text', value: 'no pen' } },
      ],
    });
    expect(events).toEqual([
      { type: 'text', text: 'Hi' },
      { type: 'usage', usage: { inputTokens: 1 } },
      { type: 'finish', reason: 'unknown' },
    ]);
  });

  it('is refused unless its specification is v3 or v4', () => {
    expect(() => aiSdkModel({ ...model, specificationVersion: 'v2' } as never)).toThrow(HaftError);
  });
});
