import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestConnection, unfenced } from '../fixtures/test-connection.ts';

interface Message {
  readonly id?: number;
  readonly method?: string;
}

/** Starts a server of the transport that Streamable HTTP replaced: answers arrive on the stream of a GET request. */
async function startOlderServer(
  accept: (response: ServerResponse) => void,
  answer: (message: Message) => object | undefined = () => undefined,
): Promise<string> {
  let stream: Pick<NodeJS.WritableStream, 'write'> | undefined;
  const results: Readonly<Record<string, object>> = {
    initialize: {
      protocolVersion: '2024-11-05',
      capabilities: { tools: {} },
      serverInfo: { name: 'older', version: '1' },
    },
    'tools/list': { tools: [{ name: 'act', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: 'acted' }] },
  };
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: endpoint\ndata: /messages?session=1\n\n');
      return;
    }
    if (!request.url?.startsWith('/messages')) {
      response.writeHead(405).end();
      return;
    }
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      accept(response);
      const message = JSON.parse(text) as Message;
      const { id, method = '' } = message;
      if (id === undefined) return;
      const reply = answer(message) ?? { jsonrpc: '2.0', id, result: results[method] };
      stream?.write(`event: message\ndata: ${JSON.stringify(reply)}\n\n`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`;
}

async function connect(url: string): ReturnType<typeof createTestConnection> {
  const opened = await createTestConnection({ url, name: 'older', idleTimeoutMs: 600_000 });
  onTestFinished(() => opened.connection.close());
  return opened;
}

describe('a server with the older HTTP+SSE transport', () => {
  it.each<[string, (response: ServerResponse) => void]>([
    ['status 202', (response) => void response.writeHead(202).end('Accepted')],
    ['a text', (response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end('ok')],
    ['JSON', (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}')],
  ])('is connected and answers on its stream when it accepts messages with %s', async (_what, accept) => {
    const { connection, call } = await connect(await startOlderServer(accept));
    expect(connection.protocol).toEqual({ era: 'legacy', version: '2024-11-05' });
    expect(unfenced(await call('older_act'))).toBe('acted');
    expect(connection.diagnostics).toEqual([]);
  });

  it('fails a call at once with a malformed response', async () => {
    const url = await startOlderServer(
      (response) => void response.writeHead(202).end(),
      ({ id, method }) => (method === 'tools/call' ? { jsonrpc: '2.0', id } : undefined),
    );
    const { call } = await connect(url);
    expect(unfenced(await call('older_act'))).toBe(
      'the server sent a malformed response: neither a result nor an error',
    );
  });
});
