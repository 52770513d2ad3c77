/** A stateless HTTP server of one contender. Arguments: contender, port (0 for a free one). */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@haft/mcp';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { echoDescription, echoName } from './echo-tool.ts';
import { createEchoSource } from './haft-registry.ts';
import { createSdkServer } from './sdk-server.ts';

const [name = '', given = '0'] = process.argv.slice(2);
const port = Number(given);
const printPort = (bound: number): void => void process.stdout.write(`port ${bound}\n`);

const starts: Readonly<Record<string, () => Promise<void>>> = {
  async haft() {
    const server = serve(createEchoSource(), {
      name: 'bench',
      version: '1.0.0',
      http: { port, requestsPerMinute: 1_000_000_000, hosts: ['127.0.0.1', 'localhost'] },
    });
    const { url } = await server.ready;
    printPort(Number(new URL(url ?? '').port));
    process.on('SIGTERM', () => void server.close().then(() => process.exit(0)));
  },
  async sdk() {
    const handle = toNodeHandler(createMcpHandler(() => createSdkServer()));
    const server = createServer((request, response) => void handle(request as Parameters<typeof handle>[0], response));
    server.listen(port, '127.0.0.1', () => printPort((server.address() as AddressInfo).port));
  },
  async fastmcp() {
    const { FastMCP } = await import('fastmcp');
    const server = new FastMCP({ name: 'bench', version: '1.0.0' });
    server.addTool({
      name: echoName,
      description: echoDescription,
      parameters: z.object({ text: z.string() }),
      execute: async ({ text }) => text,
    });
    await server.start({ transportType: 'httpStream', httpStream: { port, host: '127.0.0.1', stateless: true } });
    printPort(port);
  },
};
await starts[name]?.();
