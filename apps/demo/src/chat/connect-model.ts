import type { Model } from '@haft/core';
import type { Endpoint } from './endpoint.ts';

/** Creates a model of a server with the OpenAI-compatible chat API. */
export async function connectModel({ vendor, baseUrl, apiKey, model }: Endpoint): Promise<Model> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const { aiSdkModel } = await import('@haft/ai-sdk');
  const provider = createOpenAICompatible({
    name: vendor,
    baseURL: baseUrl,
    includeUsage: true,
    ...(apiKey === undefined ? {} : { apiKey }),
  });
  return aiSdkModel(provider.chatModel(model), { vendor });
}
