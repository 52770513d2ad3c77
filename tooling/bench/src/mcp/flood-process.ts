/** Calls one tool of a flooding server and prints the cost. Arguments: contender, tool, bytes, notifications. */
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { allowAll, createDispatcher, ToolRegistry } from '@haft/core';
import { createConnection } from '@haft/mcp';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { costOf } from '@haft-tooling/measure';

const [name = '', tool = '', bytes = '', notifications = ''] = process.argv.slice(2);
const program = fileURLToPath(new URL('flood-server.ts', import.meta.url));
const server = { command: process.execPath, args: [program, bytes, notifications] };
const patienceMs = 120_000;

async function callHaft(): Promise<() => Promise<number>> {
  const registry = new ToolRegistry();
  await createConnection({ ...server, name: 'flood', registry, idleTimeoutMs: patienceMs });
  const dispatcher = createDispatcher({ registry, permission: allowAll, maxResultCharacters: 1_000_000_000 });
  return async () => {
    const result = await dispatcher.dispatch({ id: '1', name: `flood_${tool}`, arguments: {} });
    if (!result.ok) throw new Error(result.error.message);
    return result.content.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0);
  };
}

async function callSdk(): Promise<() => Promise<number>> {
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ ...server, maxBufferSize: 1_000_000_000 }));
  await client.listTools();
  return async () => {
    const { content } = await client.callTool({ name: tool, arguments: {} }, { timeout: patienceMs });
    return content.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0);
  };
}

const call = await (name === 'haft' ? callHaft() : callSdk());
await wait(100);
const { outcome: length, cost } = await costOf(call);
if (tool === 'big' && length < Number(bytes)) throw new Error(`${length} of ${bytes} bytes arrived`);
process.stdout.write(JSON.stringify(cost));
process.exit(0);
