import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';

import type { MakeWork } from '@haft-tooling/measure';
import { sampleAnswer, sampleArguments, sampleBody, sampleInput, sampleName, toolCount } from './sample-tool.ts';

/** `client.callTool` to a server in the same process: both sides of the protocol, without a pipe. */
const makeWork: MakeWork = async (options) => {
  const count = toolCount(options);
  const server = new McpServer({ name: 'bench', version: '1.0.0' });
  for (let index = 0; index < count; index += 1) {
    server.registerTool(
      sampleName(index),
      { description: `Sample ${index}.`, inputSchema: sampleInput },
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
      const part = content[0];
      if (part?.type !== 'text' || part.text !== sampleAnswer) throw new Error(JSON.stringify(content));
    },
  };
};

export default makeWork;
