import { allowAll, createDispatcher, defineTool } from '@haft/core';
import { InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import { createServedSource, type ServedSource } from '../served/served-source.ts';
import { serve } from '../serve.ts';
import { answerDirectly } from './plain-call-stream.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of cleanups.splice(0).toReversed()) await end();
});

interface Answer {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: object;
}

let release: () => void = () => undefined;
let cancelled: () => void = () => undefined;
const order: string[] = [];
const named = { type: 'object', properties: { name: { type: 'string' } } } as const;
const tools = [
  defineTool({
    name: 'echo',
    description: 'Echo.',
    kind: 'read',
    input: named,
    execute: (args) => JSON.stringify(args),
  }),
  defineTool({
    name: 'fail',
    description: 'Fails.',
    kind: 'read',
    execute() {
      throw new Error('no luck');
    },
  }),
  defineTool({
    name: 'picture',
    description: 'Returns an image.',
    kind: 'read',
    execute: () => [{ type: 'image', data: new Uint8Array([1, 2, 3]), mediaType: 'image/png' }],
  }),
  defineTool({
    name: 'report',
    description: 'Reports progress and logs.',
    kind: 'read',
    execute(_args, { progress, session }) {
      progress({ done: 1, total: 2 });
      session.logger?.info('halfway');
      session.logger?.error('broken');
      return session.clientInfo?.name ?? 'unknown';
    },
  }),
  defineTool({
    name: 'write',
    description: 'Writes.',
    kind: 'edit',
    input: named,
    execute: ({ name }) => void order.push(name ?? ''),
  }),
  defineTool({
    name: 'wait',
    description: 'Waits until it is released.',
    kind: 'read',
    async execute(_args, { signal }) {
      signal.addEventListener('abort', () => cancelled(), { once: true });
      await new Promise<void>((resolve) => (release = resolve));
    },
  }),
];

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const clientInfo = { name: 'test', version: '1.0.0' };

/** Connects to a server in one generation, and returns functions that send messages and read answers. */
async function connect(generation: 'legacy' | 'modern', capabilities: object = {}) {
  const [client, server] = InMemoryTransport.createLinkedPair();
  const running = serve(createDispatcher({ registry: tools, permission: allowAll }), {
    name: 'test',
    version: '1.2.3',
    transport: server,
  });
  cleanups.push(() => running.close());
  const received: Answer[] = [];
  const waiting = new Map<number, (answer: Answer) => void>();
  Object.assign(client, {
    onmessage(message: JSONRPCMessage) {
      const answer = message as Answer;
      received.push(answer);
      if (answer.id !== undefined && answer.method === undefined) waiting.get(answer.id)?.(answer);
    },
  });
  await client.start();
  let last = 0;
  const send = (method: string, params: Readonly<Record<string, unknown>> = {}): Promise<Answer> => {
    last += 1;
    const id = last;
    const answer = new Promise<Answer>((resolve) => waiting.set(id, resolve));
    const whole =
      generation === 'modern'
        ? { ...params, _meta: { ...meta, ...('_meta' in params ? (params._meta as object) : {}) } }
        : params;
    void client.send({ jsonrpc: '2.0', id, method, params: whole });
    return answer;
  };
  const notify = (method: string, params: Readonly<Record<string, unknown>> = {}): Promise<void> =>
    client.send({ jsonrpc: '2.0', method, params: { ...params } });
  if (generation === 'legacy') {
    await send('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo });
    await notify('notifications/initialized');
  } else await send('server/discover');
  return { send, notify, received, lastId: () => last };
}

describe.each(['legacy', 'modern'] as const)('a %s connection', (generation) => {
  it.each(['echo', 'fail', 'picture', 'report'])(
    'gets the same answers and notifications from %s as through the SDK',
    async (name) => {
      const { send, received } = await connect(generation);
      const rounds: string[] = [];
      // The SDK handles the first call.
      for (let round = 0; round < 3; round += 1) {
        const from = received.length;
        await send('tools/call', { name, arguments: {}, _meta: { progressToken: 'token' } });
        rounds.push(JSON.stringify(received.slice(from).map(({ id: _id, ...rest }) => rest)));
      }
      expect(rounds[1]).toBe(rounds[0]);
      expect(rounds[2]).toBe(rounds[0]);
    },
  );

  it('gets no response to a call that it cancels', async () => {
    const { send, notify, received, lastId } = await connect(generation);
    await send('tools/call', { name: 'echo' });
    const isCancelled = new Promise<void>((resolve) => (cancelled = resolve));
    void send('tools/call', { name: 'wait' });
    const id = lastId();
    await send('tools/call', { name: 'echo' });
    await notify('notifications/cancelled', { requestId: id });
    await isCancelled;
    release();
    await send('tools/call', { name: 'echo' });
    await send('tools/list');
    expect(received.filter((answer) => answer.id === id)).toEqual([]);
  });

  it('runs conflicting calls in order, whether or not the SDK handles them', async () => {
    const { send } = await connect(generation);
    await send('tools/call', { name: 'echo' });
    order.length = 0;
    const names = Array.from({ length: 12 }, (_, index) => String(index));
    // Metadata of the caller is read by the SDK only.
    await Promise.all(
      names.map((name, index) =>
        send('tools/call', {
          name: 'write',
          arguments: { name },
          ...(index % 3 === 0 ? { _meta: { trace: '1' } } : {}),
        }),
      ),
    );
    expect(order).toEqual(names);
  });
});

it('sends a legacy client only the log messages that it asked for', async () => {
  const { send, received } = await connect('legacy');
  await send('logging/setLevel', { level: 'error' });
  await send('tools/call', { name: 'echo' });
  await send('tools/call', { name: 'report' });
  const logs = received.filter(({ method }) => method === 'notifications/message');
  expect(logs.map(({ params }) => params?.['data'])).toEqual(['broken']);
});

describe('the calls that reach the SDK', () => {
  const create = () => {
    const [client, inner] = InMemoryTransport.createLinkedPair();
    const served: ServedSource = createServedSource(createDispatcher({ registry: tools, permission: allowAll }), {});
    const direct = answerDirectly(inner, served, () => undefined);
    const seen: unknown[] = [];
    Object.assign(direct.transport, { onmessage: (message: Answer) => seen.push(message.id) });
    return { client, direct, served, seen };
  };
  const call = (id: number, name = 'echo') => ({ jsonrpc: '2.0' as const, id, method: 'tools/call', params: { name } });

  it('are the first one, those queued after it, and those that are not plain', async () => {
    const { client, direct, served, seen } = create();
    await direct.transport.start();
    direct.use(served.createServer({ isLegacy: true }), false);
    await client.send(call(1));
    await client.send(call(2));
    for (const id of [1, 2]) await direct.transport.send({ jsonrpc: '2.0', id, result: { content: [] } });
    await client.send(call(3));
    await client.send(call(4, 'unknown'));
    await direct.transport.send({ jsonrpc: '2.0', id: 4, error: { code: -1, message: 'unknown' } });
    await client.send(call(5));
    expect(seen).toEqual([1, 2, 4]);
    // A client of another generation has to start again.
    direct.use(served.createServer(), true);
    await client.send(call(6));
    expect(seen).toEqual([1, 2, 4, 6]);
  });
});
