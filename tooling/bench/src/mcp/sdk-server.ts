import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { echoDescription, echoName } from './echo-tool.ts';

/** The same tool, served as the SDK's own guide does. */
export function createSdkServer(): McpServer {
  const server = new McpServer({ name: 'bench', version: '1.0.0' });
  server.registerTool(
    echoName,
    { description: echoDescription, inputSchema: z.object({ text: z.string() }) },
    ({ text }) => ({ content: [{ type: 'text', text }] }),
  );
  return server;
}
