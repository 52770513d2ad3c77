import { z } from 'zod';

import { importPackage } from '../import-package.ts';
import { instructions, modelName, prompt, toolDescription, toolName, type RunAgentOnce } from './agent.ts';

interface MastraAgent {
  generate(prompt: string): Promise<{ readonly error?: Error }>;
}

/** An `Agent` with a tool of `createTool`, as the documentation of Mastra shows them. */
const run: RunAgentOnce = async ({ baseURL, execute }) => {
  const { Agent } = await importPackage<{ Agent: new (options: object) => MastraAgent }>('@mastra/core/agent');
  const { createTool } = await importPackage<{ createTool: (options: object) => object }>('@mastra/core/tools');
  const book = createTool({
    id: toolName,
    description: toolDescription,
    inputSchema: z.object({ guests: z.int(), room: z.string() }),
    execute: async (args: unknown) => execute(args),
  });
  const agent = new Agent({
    id: 'booking',
    name: 'Booking',
    instructions,
    model: { id: `scripted/${modelName}`, url: baseURL, apiKey: 'k' },
    tools: { [toolName]: book },
  });
  const { error } = await agent.generate(prompt);
  if (error) throw error;
};

export default run;
