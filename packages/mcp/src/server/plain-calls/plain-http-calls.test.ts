import { request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { allowAll, createDispatcher, defineTool } from '@haft/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createHttpHandler, type HttpHandler, type HttpHandlerOptions } from '../../index.ts';
import { createServedSource } from '../served/served-source.ts';
import { createDirectCalls } from './plain-http-calls.ts';
import { createLateStream } from './late-plain-stream.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of cleanups.splice(0).toReversed()) await end();
});

const input = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } as const;
const tools = [
  defineTool({
    name: 'echo',
    description: 'Returns its text.',
    kind: 'read',
    input,
    execute: ({ text: said }) => said,
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
    name: 'structured',
    description: 'Returns an object.',
    kind: 'read',
    output: { type: 'object', properties: { sum: { type: 'number' } } },
    execute: () => ({ structured: { sum: 3 } }),
  }),
  defineTool({
    name: 'picture',
    description: 'Returns an image.',
    kind: 'read',
    execute: () => [{ type: 'image', data: new Uint8Array([1, 2, 3]), mediaType: 'image/png' }],
  }),
  defineTool({ name: 'large', description: 'Returns much.', kind: 'read', execute: () => 'x'.repeat(200_000) }),
  defineTool({
    name: 'log',
    description: 'Logs a line.',
    kind: 'read',
    execute(_args, { session }) {
      session.logger?.info('halfway', { percent: 50 });
      return 'done';
    },
  }),
  defineTool({
    name: 'progress',
    description: 'Reports progress.',
    kind: 'read',
    execute(_args, { progress }) {
      progress({ done: 1, total: 2 });
      return 'done';
    },
  }),
  defineTool({
    name: 'ask',
    description: 'Asks the client.',
    kind: 'read',
    execute: async (_args, { session }) =>
      JSON.stringify(await session.peer?.elicit?.('Name?', { type: 'object' })) ?? 'nobody',
  }),
];

const modern = '2026-07-28';
const envelope = {
  'io.modelcontextprotocol/protocolVersion': modern,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const both = 'application/json, text/event-stream';
const plain = { 'content-type': 'application/json', accept: both };
const legacyHeaders = { ...plain, 'mcp-protocol-version': '2025-11-25' };
const modernHeaders = (name: string) => ({
  ...plain,
  'mcp-protocol-version': modern,
  'mcp-method': 'tools/call',
  'mcp-name': name,
});
const callOf = (name: unknown, args?: unknown, meta?: object, more: object = {}) => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name, ...(args === undefined ? {} : { arguments: args }), ...(meta ? { _meta: meta } : {}) },
  ...more,
});

interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}
const legacy = (body: unknown, headers: Readonly<Record<string, string>> = {}): Sent => ({
  headers: { ...legacyHeaders, ...headers },
  body,
});
const recent = (
  name: string,
  args?: unknown,
  meta: object = {},
  headers: Readonly<Record<string, string>> = {},
): Sent => ({
  headers: { ...modernHeaders(name), ...headers },
  body: callOf(name, args, { ...envelope, ...meta }),
});

function open(options: HttpHandlerOptions = {}): HttpHandler {
  const handler = createHttpHandler(createDispatcher({ registry: tools, permission: allowAll }), {
    name: 'test',
    version: '1.2.3',
    ...options,
  });
  cleanups.push(() => handler.close());
  return handler;
}

async function listen(handler: HttpHandler): Promise<number> {
  const server = createServer(handler.listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => (server.closeAllConnections(), server.close()));
  return (server.address() as AddressInfo).port;
}

async function post(port: number, { headers, body }: Sent, signal?: AbortSignal): Promise<IncomingMessage> {
  const sent = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/mcp',
    headers,
    ...(signal ? { signal } : {}),
  });
  sent.end(JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

/** The messages of a response, whatever their form. */
function readMessages(mediaType: string, said: string): unknown {
  if (mediaType.startsWith('application/json')) return [JSON.parse(said)];
  return [...said.matchAll(/^data: (.+)$/gm)].map(([, data]) => JSON.parse(data!) as unknown);
}

const cases: Readonly<Record<string, Sent>> = {
  'a legacy call': legacy(callOf('echo', { text: 'hi' })),
  'a legacy call without a version': { headers: plain, body: callOf('echo', { text: 'hi' }) },
  'a legacy call with a text as id': legacy(callOf('echo', { text: 'hi' }, undefined, { id: 'seven' })),
  'a legacy call that fails': legacy(callOf('fail')),
  'a legacy call with invalid arguments': legacy(callOf('echo', { text: { not: 'text' } })),
  'a legacy call with structured content': legacy(callOf('structured')),
  'a legacy call with an image': legacy(callOf('picture')),
  'a legacy call with a large result': legacy(callOf('large')),
  'a legacy call that logs': legacy(callOf('log')),
  'a legacy call that asks': legacy(callOf('ask')),
  'a legacy call with a progress token': legacy(callOf('echo', { text: 'hi' }, { progressToken: 1 })),
  'a legacy call that reports progress': legacy(callOf('progress', {}, { progressToken: 'p' })),
  'a modern call that reports progress': recent('progress', {}, { progressToken: 'p' }),
  'a modern call with a progress token': recent('echo', { text: 'hi' }, { progressToken: 3 }),
  'a modern call with an object as progress token': recent('echo', { text: 'hi' }, { progressToken: {} }),
  'a legacy call of an unknown tool': legacy(callOf('nothing')),
  'a legacy call without a name': legacy(callOf(undefined)),
  'a legacy call with a number as name': legacy(callOf(3)),
  'a legacy call with a list as arguments': legacy(callOf('echo', ['hi'])),
  'a legacy call with an unknown member': legacy(callOf('echo', { text: 'hi' }, undefined, { more: true })),
  'a legacy call with an unknown version': legacy(callOf('echo', { text: 'hi' }), {
    'mcp-protocol-version': '1999-01-01',
  }),
  'a legacy call that does not accept streams': legacy(callOf('echo', { text: 'hi' }), { accept: 'application/json' }),
  'a legacy call with a fraction as id': legacy(callOf('echo', { text: 'hi' }, undefined, { id: 1.5 })),
  'a legacy call with null as id': legacy(callOf('echo', { text: 'hi' }, undefined, { id: null })),
  'a call of JSON-RPC 1.0': legacy(callOf('echo', { text: 'hi' }, undefined, { jsonrpc: '1.0' })),
  'a batch': legacy([callOf('echo', { text: 'hi' })]),
  'a list of tools': legacy({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  'a foreign page': legacy(callOf('echo', { text: 'hi' }), { origin: 'https://example.com' }),
  'a local page': legacy(callOf('echo', { text: 'hi' }), { origin: 'http://localhost' }),
  'a foreign host': legacy(callOf('echo', { text: 'hi' }), { host: 'example.com' }),
  'text of another type': legacy(callOf('echo', { text: 'hi' }), { 'content-type': 'text/plain' }),
  'a modern call': recent('echo', { text: 'hi' }),
  'a modern call that fails': recent('fail'),
  'a modern call with structured content': recent('structured'),
  'a modern call with an image': recent('picture'),
  'a modern call with a large result': recent('large'),
  'a modern call that logs': recent('log'),
  'a modern call that logs at a level': recent('log', {}, { 'io.modelcontextprotocol/logLevel': 'info' }),
  'a modern call that asks a client which can be asked': recent(
    'ask',
    {},
    {
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
    },
  ),
  "a modern call that asks a client which can't be asked": recent('ask'),
  'a modern call with an invalid client': recent(
    'echo',
    { text: 'hi' },
    { 'io.modelcontextprotocol/clientInfo': { name: 3 } },
  ),
  'a modern call with invalid capabilities': recent(
    'echo',
    { text: 'hi' },
    { 'io.modelcontextprotocol/clientCapabilities': [] },
  ),
  'a modern call with another version inside': recent(
    'echo',
    { text: 'hi' },
    {
      'io.modelcontextprotocol/protocolVersion': '2027-01-01',
    },
  ),
  'a modern call without an envelope': { headers: modernHeaders('echo'), body: callOf('echo', { text: 'hi' }) },
  'a modern call with the name of another tool': recent('echo', { text: 'hi' }, {}, { 'mcp-name': 'fail' }),
  'a modern call with another method in its header': recent('echo', { text: 'hi' }, {}, { 'mcp-method': 'tools/list' }),
  'a modern call with the headers of a legacy one': {
    headers: legacyHeaders,
    body: callOf('echo', { text: 'hi' }, envelope),
  },
  'a modern call of an unknown tool': recent('nothing', {}),
};

describe('a call over node:http', () => {
  it.each(Object.entries(cases))('gets the same response as through the SDK: %s', async (_name, sent) => {
    const handler = open();
    const through = await handler.fetch(
      new Request('http://127.0.0.1/mcp', {
        method: 'POST',
        headers: { host: '127.0.0.1', ...sent.headers },
        body: JSON.stringify(sent.body),
      }),
    );
    const direct = await post(await listen(handler), sent);
    const typeOf = (type: string | null | undefined): string => (type ?? '').split(';')[0]!;
    expect(direct.statusCode).toBe(through.status);
    expect(typeOf(direct.headers['content-type'])).toBe(typeOf(through.headers.get('content-type')));
    expect(direct.headers['access-control-allow-origin'] ?? null).toBe(
      through.headers.get('access-control-allow-origin'),
    );
    const messages = readMessages(typeOf(direct.headers['content-type']), await text(direct));
    const expected = readMessages(typeOf(through.headers.get('content-type')), await through.text());
    // The state that the client has to send back is encrypted differently each time.
    const seal = /"requestState":"[^"]*"/g;
    expect(JSON.stringify(messages).replaceAll(seal, '')).toBe(JSON.stringify(expected).replaceAll(seal, ''));
  });

  it('counts for the rate limit once, direct or not', async () => {
    const port = await listen(open({ requestsPerMinute: 2 }));
    const statuses: (number | undefined)[] = [];
    for (const sent of [cases['a legacy call']!, cases['a legacy call of an unknown tool']!, cases['a modern call']!]) {
      const response = await post(port, sent);
      response.resume();
      statuses.push(response.statusCode);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });
});

describe('direct calls', () => {
  const never = new AbortController().signal;
  const create = (tool = tools, servesLegacy = true) => {
    const served = createServedSource(createDispatcher({ registry: tool, permission: allowAll }), { name: 'test' });
    return createDirectCalls(served, servesLegacy, false, () => undefined);
  };

  it('answer plain calls of both generations, and leave legacy ones that need a session', async () => {
    const { headers, body } = cases['a legacy call']!;
    const [calls, sessions] = [create(), create(tools, false)];
    expect(calls.accepts(headers)).toBe(true);
    expect(calls.accepts({ ...headers, 'mcp-session-id': 'one' })).toBe(false);
    expect(await calls.answer(headers, body, '', never)).toMatchObject({ mediaType: 'text/event-stream' });
    expect(sessions.answer(headers, body, '', never)).toBeUndefined();
    const recently = cases['a modern call']!;
    expect(await sessions.answer(recently.headers, recently.body, '', never)).toMatchObject({
      mediaType: 'application/json',
    });
    expect(calls.answer(headers, callOf('nothing'), '', never)).toBeUndefined();
  });

  it.each(['the client disconnects', 'the server closes'])('are cancelled when %s', async (reason) => {
    let cancelled!: () => void;
    const isCancelled = new Promise<void>((resolve) => (cancelled = resolve));
    let started!: () => void;
    const isStarted = new Promise<void>((resolve) => (started = resolve));
    const wait = defineTool({
      name: 'wait',
      description: 'Waits.',
      kind: 'read',
      async execute(_args, { signal }) {
        started();
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
        cancelled();
        return 'too late';
      },
    });
    const calls = create([wait]);
    const client = new AbortController();
    const { headers, body } = recent('wait');
    const answer = calls.answer(headers, body, '', client.signal);
    await isStarted;
    if (reason === 'the client disconnects') client.abort();
    else calls.close();
    await isCancelled;
    expect(await answer).toBeDefined();
    expect(calls.accepts(headers)).toBe(reason === 'the client disconnects');
  });
});

describe('the response to a legacy call', () => {
  it('becomes a stream with comments when the call takes long', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    cleanups.push(() => vi.useRealTimers());
    const stream = createLateStream('text/event-stream', () => undefined);
    vi.advanceTimersByTime(1_000);
    const response = (await stream.response) as Response;
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    vi.advanceTimersByTime(15_000);
    stream.end({ id: 1 });
    stream.send({ id: 2 });
    expect(await response.text()).toBe(': keepalive\n\nevent: message\ndata: {"id":1}\n\n');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is one text when the call is fast, and leaves no timer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    cleanups.push(() => vi.useRealTimers());
    const stream = createLateStream('text/event-stream', () => undefined);
    stream.end({ id: 1 });
    expect(await stream.response).toEqual({
      mediaType: 'text/event-stream',
      text: 'event: message\ndata: {"id":1}\n\n',
    });
    expect(vi.getTimerCount()).toBe(0);
  });
});
