import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';

import type { MakeWork } from '@haft-tooling/measure';
import { sampleAnswer, sampleArguments, sampleBody, sampleInput, sampleName, toolCount } from './sample-tool.ts';

/** `client.callTool` to a server in the same process: both sides of the protocol, without a pipe. */
const makeWork: MakeWork = async (options) => {
  const count = toolCount(options);
  const server = new McpServer({ name: 'bench', version: '1.0.0' });
  for (let index = 0; index < count; index += 1) {
    server.registerTool(
      sampleName(index),
      { description: `Sample ${index}.`, inputSchema: sampleInput.shape },
      async (args) => ({ content: [{ type: 'text', text: await sampleBody(args) }] }),
    );
  }
  const client = new Client({ name: 'bench', version: '1.0.0' });
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await server.connect(serverSide);
  await client.connect(clientSide);
  const name = sampleName(Math.floor(count / 2));
  return {
    async run() {
      const args = JSON.parse(sampleArguments) as Record<string, unknown>;
      const { content } = await client.callTool({ name, arguments: args });
      if ((content as { text?: string }[])[0]?.text !== sampleAnswer) throw new Error(JSON.stringify(content));
    },
  };
};

export default makeWork;
