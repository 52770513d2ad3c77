import { z } from 'zod';

import { importPackage } from '../import-package.ts';
import { instructions, modelName, prompt, toolDescription, toolName, type RunAgentOnce } from './agent.ts';

interface LangChain {
  createAgent(options: object): { invoke(input: object): Promise<unknown> };
  tool(execute: (args: unknown) => string, options: object): object;
}

/** `createAgent` with `tool` and `ChatOpenAI`, as the documentation of LangChain shows them. */
const run: RunAgentOnce = async ({ baseURL, execute }) => {
  const { createAgent, tool } = await importPackage<LangChain>('langchain');
  const { ChatOpenAI } = await importPackage<{ ChatOpenAI: new (options: object) => object }>('@langchain/openai');
  const schema = z.object({ guests: z.int(), room: z.string() });
  const agent = createAgent({
    model: new ChatOpenAI({ model: modelName, apiKey: 'k', configuration: { baseURL } }),
    tools: [tool(execute, { name: toolName, description: toolDescription, schema })],
    systemPrompt: instructions,
  });
  await agent.invoke({ messages: [{ role: 'user', content: prompt }] });
};

export default run;
