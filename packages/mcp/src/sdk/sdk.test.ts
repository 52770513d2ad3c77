import { allowAll, createDispatcher, defineTool, ToolRegistry } from '@haft/core';
import { eraseTool } from '@haft/core/define';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { sayTool } from '../fixtures/in-process-servers.ts';
import { createTestConnection, unfenced } from '../fixtures/test-connection.ts';
import { fromSdkClient, mountOnSdkServer } from '../sdk.ts';

it('tools are mounted on an SDK 1.x server and used through a connected SDK 1.x client', async () => {
  const own = new ToolRegistry({ tools: [sayTool('hello')] });
  let stopped = (): void => undefined;
  const cancelled = new Promise<void>((resolve) => (stopped = resolve));
  own.register(
    eraseTool(
      defineTool({
        name: 'ask',
        description: 'Asks.',
        input: { type: 'object', properties: {} },
        kind: 'read',
        async execute(_args, context) {
          const { session, logger } = context;
          logger.info('asking');
          context.progress({ done: 1, total: 2 });
          const schema = { type: 'object', properties: { n: { type: 'integer' } } };
          return JSON.stringify(await session.peer?.elicit?.('How many?', schema));
        },
      }),
    ),
  );
  own.register(
    eraseTool(
      defineTool({
        name: 'wait',
        description: 'Waits.',
        input: { type: 'object', properties: {} },
        kind: 'read',
        execute: (_args, { signal }) =>
          new Promise<string>((resolve) =>
            signal.addEventListener('abort', () => {
              stopped();
              resolve('stopped');
            }),
          ),
      }),
    ),
  );
  const server = new McpServer({ name: 'older', version: '1.0.0' });
  const mounted = mountOnSdkServer(server, createDispatcher({ registry: own, permission: allowAll }));
  const client = new Client({ name: 'theirs', version: '1.0.0' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept' as const, content: { n: 3 } }));
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(there), client.connect(here)]);

  const { connection, call, events, next } = await createTestConnection({ transport: fromSdkClient(client) });
  expect(connection.tools.map((tool) => tool.name)).toEqual(['older_ask', 'older_hello', 'older_wait']);
  expect(unfenced(await call('older_hello'))).toBe('hello said');
  const notified: unknown[] = [];
  expect(unfenced(await call('older_ask', {}, { onProgress: (update) => notified.push(update) }))).toBe(
    '{"action":"accept","content":{"n":3}}',
  );
  expect(notified).toEqual([{ done: 1, total: 2 }]);
  expect(events).toContainEqual({ type: 'log', level: 'info', logger: 'ask', text: 'asking' });

  const stop = new AbortController();
  const waiting = call('older_wait', {}, { signal: stop.signal });
  setImmediate(() => stop.abort());
  expect(await waiting).toMatchObject({ ok: false, error: { code: 'ABORTED' } });
  await cancelled;

  const changed = next('tool-list-changed');
  own.unregister('wait');
  expect(await changed).toMatchObject({ removed: ['older_wait'] });

  await connection.close();
  expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(['ask', 'hello']);
  mounted.close();
  await client.close();
});

describe('mountOnSdkServer', () => {
  const greeter = createDispatcher({ registry: [sayTool('greet')], permission: allowAll });
  const connect = async (server: McpServer): Promise<Client> => {
    const client = new Client({ name: 'theirs', version: '1.0.0' });
    const [here, there] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(there), client.connect(here)]);
    return client;
  };

  it('refuses a server with tools of its own and keeps them', async () => {
    const server = new McpServer({ name: 'older', version: '1.0.0' });
    server.registerTool('mine', {}, () => ({ content: [{ type: 'text', text: 'still here' }] }));
    expect(() => mountOnSdkServer(server, greeter)).toThrow(
      expect.objectContaining({
        name: 'McpError',
        code: 'INVALID_OPTION',
        message: expect.stringMatching(/^server: already has tools, .*defineTool/),
      }),
    );
    const client = await connect(server);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['mine']);
    expect(await client.callTool({ name: 'mine' })).toMatchObject({ content: [{ text: 'still here' }] });
    await client.close();
  });

  it('refuses a second mount and keeps the first', async () => {
    const server = new McpServer({ name: 'older', version: '1.0.0' });
    mountOnSdkServer(server, greeter);
    const other = createDispatcher({ registry: [sayTool('other')], permission: allowAll });
    expect(() => mountOnSdkServer(server, other)).toThrow(/^server: already has tools/);
    const client = await connect(server);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['greet']);
    await client.close();
  });

  it('refuses a connected server', async () => {
    const server = new McpServer({ name: 'older', version: '1.0.0' });
    const client = await connect(server);
    expect(() => mountOnSdkServer(server, greeter)).toThrow(/^server: is already connected/);
    await client.close();
  });

  it('keeps the prompts of the server', async () => {
    const server = new McpServer({ name: 'older', version: '1.0.0' });
    server.registerPrompt('plan', {}, () => ({ messages: [] }));
    mountOnSdkServer(server, greeter);
    const client = await connect(server);
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['plan']);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['greet']);
    await client.close();
  });
});
