import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { readTextCalls, repairToolCall, toAiSdkTools } from '@haft/ai-sdk';
import { allowAll, defineTool } from '@haft/core';
import { ToolLoopAgent, wrapLanguageModel } from 'ai';
import { z } from 'zod';

import { instructions, modelName, prompt, toolDescription, toolName, type RunAgentOnce } from './agent.ts';

/** The agent of the AI SDK with tools of Haft, `readTextCalls` around its model, and Haft's function in the hook `repairToolCall`. */
const run: RunAgentOnce = async ({ baseURL, execute }) => {
  const provider = createOpenAICompatible({ name: 'scripted', baseURL, apiKey: 'k' });
  const book = defineTool({
    name: toolName,
    description: toolDescription,
    input: z.object({ guests: z.int(), room: z.string() }),
    execute,
  });
  const agent = new ToolLoopAgent({
    model: wrapLanguageModel({ model: provider.chatModel(modelName), middleware: readTextCalls }),
    instructions,
    tools: toAiSdkTools([book], { permission: allowAll }),
    repairToolCall,
  });
  await agent.generate({ prompt });
};

export default run;
