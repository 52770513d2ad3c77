/**
 * Costs of connections, each in its own process. Arguments: `start haft|sdk|sdk-legacy` (one server process; prints milliseconds),
 * `idle haft|sdk COUNT URL` (bytes per connection over HTTP), or `many COUNT` (servers that answer after up to 1 s).
 */
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ToolRegistry } from '@haft/core';
import { keptMemory } from '@haft-tooling/measure';
import { createConnection, createConnectionManager, type ServerSource } from '@haft/mcp';
import {
  Client,
  InMemoryTransport,
  StreamableHTTPClientTransport,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [what = '', name = '', count = '0', url = ''] = process.argv.slice(2);
/** The same server for both clients. */
const program = fileURLToPath(new URL('serve-process.ts', import.meta.url));
const server = { command: process.execPath, args: ['--conditions=@haft/source', program, 'sdk'] };

async function connectSdk(transport: Transport, mode: 'auto' | 'legacy' = 'auto'): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  await client.listTools();
  return client;
}

async function start(): Promise<object> {
  const began = performance.now();
  const connection =
    name === 'haft'
      ? await createConnection({ name: 'bench', registry: new ToolRegistry(), ...server })
      : await connectSdk(new StdioClientTransport(server), name === 'sdk-legacy' ? 'legacy' : 'auto');
  const ms = performance.now() - began;
  await connection.close();
  return { ms };
}

async function idle(): Promise<object> {
  const open = (): Promise<unknown> =>
    name === 'haft'
      ? createConnection({ url, registry: new ToolRegistry(), name: 'bench' })
      : connectSdk(new StreamableHTTPClientTransport(new URL(url)));
  const kept: unknown[] = [];
  // The first connections load code.
  for (let opened = 0; opened < 10; opened += 1) kept.push(await open());
  const before = (await keptMemory()).rss;
  for (let opened = 0; opened < Number(count); opened += 1) kept.push(await open());
  await delay(500);
  const bytes = ((await keptMemory()).rss - before) / Number(count);
  return { bytes, kept: kept.length };
}

const slowestMs = 1_000;

/**
 * A legacy server that answers each request after a delay. Its handshake and its list take `ms` milliseconds in total.
 */
function slowServer(ms: number): Transport {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const onmessage = (message: JSONRPCMessage): void => {
    const { id, method } = message as { readonly id?: number; readonly method?: string };
    if (id === undefined) return;
    const serverInfo = { name: 'slow', version: '1' };
    const results: Readonly<Record<string, Record<string, unknown>>> = {
      initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo },
      'tools/list': { tools: [{ name: 'act', inputSchema: { type: 'object' } }] },
    };
    const result = results[method ?? ''];
    const answer = result ? { result } : { error: { code: -32_601, message: 'Method not found' } };
    const send = (): void => void serverSide.send({ jsonrpc: '2.0', id, ...answer });
    if (result) setTimeout(send, ms / 2);
    else send();
  };
  Object.assign(serverSide, { onmessage });
  void serverSide.start();
  return clientSide;
}

async function many(): Promise<object> {
  const connectAll = async (times: readonly number[]): Promise<number> => {
    const servers = Object.fromEntries(
      times.map((ms, index): [string, ServerSource] => [`server${index}`, { transport: slowServer(ms) }]),
    );
    const manager = createConnectionManager({ registry: new ToolRegistry(), servers });
    const began = performance.now();
    await manager.restore();
    const took = performance.now() - began;
    const ready = manager.connections().filter(({ state }) => state === 'ready').length;
    if (ready !== times.length) throw new Error(`${ready} of ${times.length} servers are ready`);
    await manager.stop();
    return took;
  };
  const total = Number(name);
  const alone = await connectAll([slowestMs]);
  const together = await connectAll(Array.from({ length: total }, (_, index) => ((index + 1) * slowestMs) / total));
  return { alone, together };
}

const runs: Readonly<Record<string, () => Promise<object>>> = { start, idle, many };
const run = runs[what];
if (!run) throw new Error(`unknown: ${what}`);
process.stdout.write(JSON.stringify(await run()));
process.exit(0);
