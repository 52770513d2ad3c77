import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { tool, ToolLoopAgent } from 'ai';
import { z } from 'zod';

import { instructions, modelName, prompt, toolDescription, type RunAgentOnce } from './agent.ts';

/** `ToolLoopAgent`, the agent that the documentation of the AI SDK recommends, with its defaults. */
const run: RunAgentOnce = async ({ baseURL, execute }) => {
  const provider = createOpenAICompatible({ name: 'scripted', baseURL, apiKey: 'k' });
  const agent = new ToolLoopAgent({
    model: provider.chatModel(modelName),
    instructions,
    tools: {
      book_room: tool({
        description: toolDescription,
        inputSchema: z.object({ guests: z.int(), room: z.string() }),
        execute: (args) => execute(args),
      }),
    },
  });
  await agent.generate({ prompt });
};

export default run;
