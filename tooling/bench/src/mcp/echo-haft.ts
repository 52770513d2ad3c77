import { fileURLToPath } from 'node:url';
import { allowAll, createDispatcher, renderForModel, ToolRegistry } from '@haft/core';
import { createConnection, serve } from '@haft/mcp';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import type { MakeWork } from '@haft-tooling/measure';
import { echoText } from './echo-tool.ts';
import { createEchoSource } from './haft-registry.ts';

/** One call through both dispatchers: `{ over: 'memory' | 'stdio' }`. */
const makeWork: MakeWork = async ({ over }) => {
  const registry = new ToolRegistry();
  await createConnection({ name: 'bench', registry, ...(over === 'stdio' ? ofProcess() : inMemory()) });
  const dispatcher = createDispatcher({ registry, permission: allowAll });
  let calls = 0;
  return {
    async run() {
      calls += 1;
      const result = await dispatcher.dispatch({
        id: String(calls),
        name: 'bench_echo',
        arguments: JSON.stringify({ text: echoText }),
      });
      if (!renderForModel(result).includes(echoText)) throw new Error(renderForModel(result));
    },
  };
};

function inMemory(): { readonly transport: InMemoryTransport } {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  serve(createEchoSource(), { name: 'bench', version: '1.0.0', transport: serverSide });
  return { transport: clientSide };
}

function ofProcess(): { readonly command: string; readonly args: readonly string[] } {
  const program = fileURLToPath(new URL('serve-process.ts', import.meta.url));
  return { command: process.execPath, args: ['--conditions=@haft/source', program, 'haft'] };
}

export default makeWork;
