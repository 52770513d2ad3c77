import { Agent, type AgentTool } from '@earendil-works/pi-agent-core';
import { createModels, createProvider, type Model } from '@earendil-works/pi-ai';
import { openAICompletionsApi } from '@earendil-works/pi-ai/api/openai-completions.lazy';
import { Type } from 'typebox';

import { instructions, modelName, prompt, toolDescription, toolName, type RunAgentOnce } from './agent.ts';

const parameters = Type.Object({ guests: Type.Integer(), room: Type.String() });

/** An `Agent` with a provider of `createProvider`, as the documentation of pi shows them for local servers. */
const run: RunAgentOnce = async ({ baseURL, execute }) => {
  const model: Model<'openai-completions'> = {
    id: modelName,
    name: modelName,
    api: 'openai-completions',
    provider: 'scripted',
    baseUrl: baseURL,
    reasoning: false,
    input: ['text'],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 128_000,
    maxTokens: 32_000,
  };
  const models = createModels();
  models.setProvider(
    createProvider({
      id: 'scripted',
      name: 'Scripted',
      baseUrl: baseURL,
      auth: { apiKey: { name: 'Scripted', resolve: async () => ({ auth: { apiKey: 'k' } }) } },
      models: [model],
      api: openAICompletionsApi(),
    }),
  );
  const book: AgentTool<typeof parameters> = {
    name: toolName,
    label: 'Book a room',
    description: toolDescription,
    parameters,
    execute: async (_id, args) => ({ content: [{ type: 'text', text: execute(args) }], details: undefined }),
  };
  const agent = new Agent({
    initialState: { systemPrompt: instructions, model, tools: [book] },
    streamFn: models.streamSimple.bind(models),
  });
  await agent.prompt(prompt);
  if (agent.state.errorMessage !== undefined) throw new Error(agent.state.errorMessage);
};

export default run;
