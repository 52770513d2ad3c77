import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { runAgent } from '@haft/runner';
import { describe, expect, it } from 'vitest';
import { aiSdkModel } from './ai-sdk-model.ts';

/** A language model that answers with one word and keeps its call options. */
function languageModel(provider: string, specificationVersion: 'v3' | 'v4' = 'v4') {
  const asked: LanguageModelV4CallOptions[] = [];
  const made = {
    specificationVersion,
    provider,
    modelId: 'm',
    supportedUrls: {},
    doStream(options: LanguageModelV4CallOptions) {
      asked.push(options);
      const stream = new ReadableStream({
        start(controller) {
          controller.enqueue({ type: 'text-start', id: '1' });
          controller.enqueue({ type: 'text-delta', id: '1', delta: 'done' });
          controller.enqueue({ type: 'text-end', id: '1' });
          controller.enqueue({
            type: 'finish',
            finishReason: { unified: 'stop', raw: 'stop' },
            usage: { inputTokens: {}, outputTokens: {} },
          });
          controller.close();
        },
      });
      return Promise.resolve({ stream });
    },
  };
  return { model: made as unknown as LanguageModelV4, asked };
}

describe('thinking and thinkingBudget', () => {
  it.each([
    [
      'anthropic.messages',
      'v4',
      { thinking: true, thinkingBudget: 2_000 },
      { providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 2_000 } } } },
    ],
    [
      'anthropic.messages',
      'v3',
      { thinking: false },
      { providerOptions: { anthropic: { thinking: { type: 'disabled' } } } },
    ],
    [
      'google.generative-ai',
      'v4',
      { thinkingBudget: 512 },
      { providerOptions: { google: { thinkingConfig: { thinkingBudget: 512 } } } },
    ],
    ['openai.responses', 'v4', { thinking: true }, { reasoning: 'medium' }],
    ['openai.responses', 'v4', { thinking: false }, { reasoning: 'none' }],
  ] as const)('reach a model of %s (%s) as its own settings: %j', async (provider, version, options, expected) => {
    const { model, asked } = languageModel(provider, version);
    const { text, diagnostics } = await runAgent({ model: aiSdkModel(model), prompt: 'Go', ...options });
    expect([text, diagnostics]).toEqual(['done', []]);
    expect(asked[0]).toMatchObject(expected);
  });

  it('keep the provider options of the settings, which take precedence', async () => {
    const { model, asked } = languageModel('anthropic.messages');
    const providerOptions = { anthropic: { effort: 'high' }, other: { a: 1 } };
    await runAgent({ model: aiSdkModel(model, { settings: { providerOptions } }), prompt: 'Go', thinkingBudget: 9 });
    expect(asked[0]!.providerOptions).toEqual({
      anthropic: { effort: 'high', thinking: { type: 'enabled', budgetTokens: 9 } },
      other: { a: 1 },
    });
  });

  it.each([
    [
      'openai.responses',
      'v4',
      { thinking: true, thinkingBudget: 9 },
      ['thinkingBudget was dropped, because the model m does not support it'],
    ],
    ['acme.chat', 'v3', { thinking: true }, ['thinking was dropped, because the model m does not support it']],
  ] as const)('are reported if %s (%s) takes neither: %j', async (provider, version, options, expected) => {
    const { model } = languageModel(provider, version);
    const { diagnostics } = await runAgent({ model: aiSdkModel(model), prompt: 'Go', ...options });
    expect(diagnostics).toEqual(expected.map((message) => ({ kind: 'option-dropped', turn: 0, message })));
  });
});
