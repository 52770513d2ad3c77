import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { aiSdkModel } from '@haft/ai-sdk';
import { allowAll, defineTool } from '@haft/core';
import { runAgent } from '@haft/runner';
import { z } from 'zod';

import { instructions, modelName, prompt, toolDescription, toolName, type RunAgentOnce } from './agent.ts';

/** `runAgent` as the README of `@haft/runner` shows it. */
const run: RunAgentOnce = async ({ baseURL, execute }) => {
  const tool = defineTool({
    name: toolName,
    description: toolDescription,
    input: z.object({ guests: z.int(), room: z.string() }),
    execute,
  });
  const provider = createOpenAICompatible({ name: 'scripted', baseURL, apiKey: 'k' });
  await runAgent({
    model: aiSdkModel(provider.chatModel(modelName)),
    tools: [tool],
    systemPrompt: instructions,
    prompt,
    permission: allowAll,
    throwOnError: true,
  });
};

export default run;
