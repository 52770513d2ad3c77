import { fileURLToPath } from 'node:url';
import { Client, InMemoryTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { MakeWork } from '@haft-tooling/measure';
import { echoName, echoText } from './echo-tool.ts';
import { createSdkServer } from './sdk-server.ts';

/** The same call with the client and the server of the SDK, in the newest revision: `{ over: 'memory' | 'stdio' }`. */
const makeWork: MakeWork = async ({ over }) => {
  const client = new Client({ name: 'bench', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(over === 'stdio' ? ofProcess() : inMemory());
  // A client lists tools, with their schemas, before it calls one.
  await client.listTools();
  return {
    async run() {
      const args = JSON.parse(JSON.stringify({ text: echoText })) as Record<string, unknown>;
      const { content } = await client.callTool({ name: echoName, arguments: args });
      const [part] = content;
      if (part?.type !== 'text' || part.text !== echoText) throw new Error(JSON.stringify(content));
    },
  };
};

function inMemory(): Transport {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  serveStdio(() => createSdkServer(), { transport: serverSide });
  return clientSide;
}

function ofProcess(): Transport {
  const program = fileURLToPath(new URL('serve-process.ts', import.meta.url));
  return new StdioClientTransport({ command: process.execPath, args: ['--conditions=@haft/source', program, 'sdk'] });
}

export default makeWork;
