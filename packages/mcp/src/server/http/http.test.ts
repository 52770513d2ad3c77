import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { allowAll, createDispatcher, defineTool, ToolRegistry, type PermissionEngine } from '@haft/core';
import { eraseTool } from '@haft/core/define';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, describe, expect, it } from 'vitest';
import { answerJson, startBadHttpServer, type BadHttpServer, type Misbehave } from '../../fixtures/bad-http-server.ts';
import { createTestConnection, unfenced, type TestConnection } from '../../fixtures/test-connection.ts';
import { createSampleRegistry } from '../../fixtures/sample-registry.ts';
import { createNodeListener } from './node-listener.ts';
import {
  createConnection,
  createHttpHandler,
  createLibrary,
  McpError,
  serve,
  type ConnectionOptions,
  type ListenOptions,
  type RunningServer,
} from '../../index.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of cleanups.splice(0).toReversed()) await end();
});

async function start(
  http: ListenOptions = {},
  permission: PermissionEngine = allowAll,
  registry: ToolRegistry = createSampleRegistry(),
): Promise<{ readonly url: string; readonly registry: ToolRegistry; readonly server: RunningServer }> {
  const server = serve(createDispatcher({ registry, permission }), { name: 'sample', http });
  cleanups.push(() => server.close());
  const { url } = await server.ready;
  return { url: url!, registry, server };
}

async function open(options: Partial<ConnectionOptions>): Promise<TestConnection> {
  const opened = await createTestConnection(options);
  cleanups.push(() => opened.connection.close());
  return opened;
}

async function bad(misbehave: Misbehave, onStream?: Parameters<typeof startBadHttpServer>[1]): Promise<BadHttpServer> {
  const server = await startBadHttpServer(misbehave, onStream);
  cleanups.push(() => server.close());
  return server;
}

const post = (url: string, message: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });

const greeting = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

describe('a server over HTTP', () => {
  it.each([
    ['modern', 'auto'],
    ['legacy', 'legacy'],
  ] as const)('serves the %s era on one address', async (era, asked) => {
    const { url } = await start();
    const { connection, call } = await open({ url, era: asked });
    expect(connection).toMatchObject({ name: 'sample', state: 'ready', protocol: { era } });
    expect(unfenced(await call('sample_echo', { text: 'hello' }))).toBe('hello');
  });

  it('serves clients of SDK 1.x, and notifies those with sessions of a new tool', async () => {
    const { url, registry } = await start({ sessions: true });
    const client = new OlderClient({ name: 'older', version: '1' });
    const changed = new Promise<void>((resolve) => {
      client.fallbackNotificationHandler = async ({ method }) => {
        if (method === 'notifications/tools/list_changed') resolve();
      };
    });
    await client.connect(new OlderTransport(new URL(url)) as Parameters<OlderClient['connect']>[0]);
    cleanups.push(() => client.close());
    const before = (await client.listTools()).tools.map((tool) => tool.name);
    registry.register(
      eraseTool(
        defineTool({
          name: 'late',
          description: 'Came late.',
          input: { type: 'object' },
          kind: 'read',
          execute: () => 'here',
        }),
      ),
    );
    await changed;
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual([...before, 'late'].toSorted());
    expect(await client.callTool({ name: 'late', arguments: {} })).toMatchObject({ content: [{ text: 'here' }] });
  });

  it('notifies modern clients of changes and reports progress', async () => {
    const { url, registry } = await start();
    const { connection, next } = await open({ url });
    const changed = next('tool-list-changed');
    registry.unregister('picture');
    expect(await changed).toMatchObject({ removed: ['sample_picture'] });
    expect(connection.tools.map((tool) => tool.name)).not.toContain('sample_picture');
  });

  it('refuses requests for other hosts and from foreign web pages before reading them', async () => {
    const { url } = await start();
    expect((await post(url, greeting, { origin: 'http://evil.example' })).status).toBe(403);
    expect((await post(url, greeting, { origin: 'http://localhost:3000' })).status).toBe(200);
    const handler = createHttpHandler(createDispatcher({ registry: createSampleRegistry() }));
    cleanups.push(() => handler.close());
    const rebound = new Request('http://evil.example/mcp', {
      method: 'POST',
      headers: {
        host: 'evil.example',
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...greeting }),
    });
    expect((await handler.fetch(rebound)).status).toBe(403);
    // The request announces a body that never arrives.
    const unread = request(url, { method: 'POST', headers: { host: 'evil.example', 'content-length': '99' } });
    unread.on('error', () => undefined).flushHeaders();
    const [answer] = (await once(unread, 'response')) as [IncomingMessage];
    expect(answer.statusCode).toBe(403);
    unread.destroy();
  });

  it('refuses oversized bodies and too many requests with a Retry-After', async () => {
    const { url } = await start({ maxBodyBytes: 1_000, requestsPerMinute: 4 });
    expect((await post(url, { ...greeting, params: { ...greeting.params, x: 'x'.repeat(2_000) } })).status).toBe(413);
    const unannounced = request(url, { method: 'POST', headers: { 'content-type': 'application/json' } });
    unannounced.on('error', () => undefined).end('x'.repeat(2_000));
    const [answer] = (await once(unannounced, 'response')) as [IncomingMessage];
    expect([answer.statusCode, answer.headers.connection]).toEqual([413, 'close']);
    expect((await post(url, greeting)).status).toBe(200);
    expect((await post(url, greeting)).status).toBe(200);
    const refused = await post(url, greeting);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it.each(['listener', 'fetch'] as const)(
    'refuses a call whose headers do not match its arguments (%s)',
    async (face) => {
      const input = { type: 'object', properties: { place: { type: 'string', 'x-mcp-header': 'Place' } } } as const;
      const go = defineTool({
        name: 'go',
        description: 'Goes.',
        input,
        kind: 'read',
        execute: (args) => args['place'],
      });
      const registry = new ToolRegistry({ tools: [eraseTool(go)] });
      const handler = createHttpHandler(createDispatcher({ registry, permission: allowAll }), { name: 'far' });
      cleanups.push(() => handler.close());
      const { url } = await start({}, allowAll, registry);
      const send = async (headers: Record<string, string>): Promise<unknown> => {
        const sent = {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            'mcp-protocol-version': '2026-07-28',
            'mcp-method': 'tools/call',
            'mcp-name': 'go',
            ...headers,
          },
          body: JSON.stringify({
            jsonrpc: '2.0',
            id: 7,
            method: 'tools/call',
            params: {
              name: 'go',
              arguments: { place: 'Ulm' },
              _meta: {
                'io.modelcontextprotocol/protocolVersion': '2026-07-28',
                'io.modelcontextprotocol/clientCapabilities': {},
              },
            },
          }),
        };
        const local = new Request('http://127.0.0.1/mcp', { ...sent, headers: { ...sent.headers, host: '127.0.0.1' } });
        const response = await (face === 'fetch' ? handler.fetch(local) : fetch(url, sent));
        return [response.status, await response.json()];
      };
      expect(await send({})).toMatchObject([400, { id: 7, error: { code: -32_020 } }]);
      expect(await send({ 'mcp-param-place': 'Bonn' })).toMatchObject([400, { id: 7, error: { code: -32_020 } }]);
      expect(await send({ 'mcp-param-place': 'Ulm' })).toMatchObject([200, { result: { content: [{ text: 'Ulm' }] } }]);
      const { call } = await open({ url });
      expect(unfenced(await call('sample_go', { place: 'Zürich' }))).toBe('Zürich');
    },
  );

  it('answers invalid JSON, and accepts a body parsed by earlier middleware', async () => {
    const { url } = await start();
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const broken = await fetch(url, { method: 'POST', headers, body: '{"jsonrpc": ' });
    expect([broken.status, await broken.json()]).toMatchObject([400, { error: { code: -32_700 } }]);
    const handler = createHttpHandler(createDispatcher({ registry: createSampleRegistry() }));
    cleanups.push(() => handler.close());
    const parsing = createServer((incoming, outgoing) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      incoming.on('end', () =>
        setImmediate(() => {
          Object.assign(incoming, { body: JSON.parse(text) as unknown });
          handler.listener(incoming, outgoing);
        }),
      );
    }).listen(0, '127.0.0.1');
    cleanups.push(() => new Promise((resolve) => parsing.close(resolve)));
    await once(parsing, 'listening');
    const { port } = parsing.address() as AddressInfo;
    expect((await post(`http://127.0.0.1:${port}`, greeting)).status).toBe(200);
  });

  it('cancels a request whose client disconnected during earlier middleware', async () => {
    let isAborted = false;
    const listener = createNodeListener({
      refuse: () => undefined,
      answer({ request: asked }) {
        isAborted = asked.signal.aborted;
        return Promise.resolve(new Response(new ReadableStream()));
      },
      keepsBody: false,
      maxBodyBytes: 1_000,
    });
    const came = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const slow = createServer((incoming, outgoing) => {
      came.resolve();
      outgoing.once('close', () => void listener(incoming, outgoing).then(ended.resolve, ended.reject));
    }).listen(0, '127.0.0.1');
    cleanups.push(() => new Promise((resolve) => slow.close(resolve)));
    await once(slow, 'listening');
    const { port } = slow.address() as AddressInfo;
    const sent = request(`http://127.0.0.1:${port}`).on('error', () => undefined);
    sent.end();
    await came.promise;
    sent.destroy();
    await ended.promise;
    expect(isAborted).toBe(true);
  });

  it('sends every cookie of a refusal, and closes a response whose stream fails', async () => {
    let body: ReadableStream | string = 'no';
    const authenticate = (): Promise<Response> => {
      const refusal = new Response(body, { status: 403 });
      refusal.headers.append('set-cookie', 'a=1');
      refusal.headers.append('set-cookie', 'b=2');
      return Promise.resolve(refusal);
    };
    const server = serve(createDispatcher({ registry: createSampleRegistry(), permission: allowAll }), {
      http: { authenticate },
      onWarning: () => {
        throw new Error('a failure of its own');
      },
    });
    cleanups.push(() => server.close());
    const { url = '' } = await server.ready;
    expect((await post(url, greeting)).headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    body = new ReadableStream({ pull: (controller) => controller.error(new Error('broken')) });
    await expect(post(url, greeting).then((broken) => broken.text())).rejects.toThrow();
  });

  it('admits callers that authenticate accepts, with their own permission session', async () => {
    const asked: string[] = [];
    const engine: PermissionEngine = {
      ask: (request) => {
        asked.push(request.sessionId);
        return allowAll.ask(request);
      },
    };
    const { url } = await start(
      {
        authenticate: (request) =>
          Promise.resolve(
            request.headers.get('authorization') === 'Bearer sesame-sesame'
              ? { token: 'sesame-sesame', clientId: 'ada', scopes: [] }
              : new Response(null, { status: 401 }),
          ),
      },
      engine,
    );
    expect((await post(url, greeting)).status).toBe(401);
    const headers = { authorization: 'Bearer sesame-sesame' };
    const { call } = await open({ url, headers });
    expect((await call('sample_echo', { text: 'x' })).ok).toBe(true);
    expect(new Set(asked)).toEqual(new Set(['mcp:ada']));
  });

  it.each([undefined, null, false, true, '', {}, { clientId: 7 }])(
    'refuses a request when authenticate returns neither a caller nor a refusal (%j)',
    async (answer) => {
      const warnings: string[] = [];
      const onWarning = ({ message }: Error): void => void warnings.push(message);
      const source = createDispatcher({ registry: createSampleRegistry(), permission: allowAll });
      const server = serve(source, { onWarning, http: { authenticate: () => answer as never } });
      cleanups.push(() => server.close());
      const { url = '' } = await server.ready;
      await post(url, greeting);
      const refused = await post(url, greeting);
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      // A false value may mean a refusal; any other is a mistake of the server's author.
      expect(warnings).toEqual(
        answer
          ? [
              `authenticate returned ${answer === true ? 'true' : 'an object'} (expected a caller such as { clientId: "ada", token, scopes: [] }, or a Response that refuses the request), so the request was refused with 401`,
            ]
          : [],
      );
    },
  );

  it('keeps a session private to the caller that started it', async () => {
    const { url } = await start({
      sessions: true,
      authenticate: (request) =>
        Promise.resolve({ token: 'x', clientId: request.headers.get('x-who') ?? '', scopes: [] }),
    });
    const begun = await post(url, greeting, { 'x-who': 'ada' });
    const session = {
      'mcp-session-id': begun.headers.get('mcp-session-id') ?? '',
      'mcp-protocol-version': '2025-11-25',
    };
    expect(session['mcp-session-id']).not.toBe('');
    const list = { id: 2, method: 'tools/list' };
    expect((await post(url, list, { ...session, 'x-who': 'ada' })).status).toBe(200);
    expect((await post(url, list, { ...session, 'x-who': 'eve' })).status).toBe(404);
  });

  it.each([
    [{ htp: {} }, 'serve: htp is not an option (did you mean http?)'],
    [
      { http: { drainTimeoutMs: Infinity } },
      'http.drainTimeoutMs is not valid (expected a number from 0 to 2147483647, got Infinity)',
    ],
    [{ http: { prt: 1 } }, 'serve: http.prt is not an option (did you mean port?)'],
    [{ sessions: true }, 'serve: sessions is a member of http, as in { http: { sessions: … } }'],
    [{ stateKey: 'secret' }, 'serve: stateKey is not valid (expected 32 bytes or more, got 6 bytes)'],
    [{ stateKey: new Uint8Array(31) }, 'serve: stateKey is not valid (expected 32 bytes or more, got 31 bytes)'],
    [{ stateKey: 32 }, 'serve: stateKey is not valid (expected 32 bytes or more, got 32)'],
    [7, 'serve: its argument is not valid (expected an object such as { name: "my-tools" }, got 7)'],
    [{ http: true }, 'serve: http is not valid (expected an object such as { port: 8080 }, got true)'],
    [{ tasks: { aftrMs: 5 } }, 'serve: tasks.aftrMs is not an option (did you mean afterMs?)'],
    [
      { tasks: { mode: 'always' } },
      'serve: tasks.mode is not valid (expected a function, such as () => \'always\', got "always")',
    ],
    [
      { skills: './skills' },
      'serve: skills is not valid (expected a SkillDirectory such as await openSkillDirectory("./skills") returns, got "./skills")',
    ],
    [
      { library: { prompts: [] } },
      'serve: library is not valid (expected a Library such as createLibrary() returns, got an object)',
    ],
  ])('refuses invalid options (%j)', (options, message) => {
    const source = createDispatcher({ registry: new ToolRegistry() });
    expect(() => serve(source, options as never)).toThrow(message);
    expect(() => serve(new ToolRegistry() as never)).toThrow(
      'its first argument is not valid (expected a ToolSource such as createDispatcher',
    );
    expect(() => createHttpHandler(source, { port: 80 } as never)).toThrow('createHttpHandler: port is not an option');
  });

  it('finishes running requests when it is closed, and accepts no new ones', async () => {
    let end = (_text: string): void => undefined;
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const slow = defineTool({
      name: 'slow',
      description: 'Ends when told to.',
      input: { type: 'object' },
      kind: 'read',
      execute: () => new Promise<string>((resolve) => ((end = resolve), begin())),
    });
    const registry = new ToolRegistry({ tools: [eraseTool(slow)] });
    const server = serve(createDispatcher({ registry, permission: allowAll }), {
      name: 'far',
      http: { drainTimeoutMs: 5_000 },
    });
    const { url = '' } = await server.ready;
    const { call } = await open({ url });
    const answer = call('far_slow');
    await begun;
    const closed = server.close();
    await expect(fetch(url)).rejects.toThrow('fetch failed');
    await expect(createConnection({ url })).rejects.toThrow(/could not connect to .*ECONNREFUSED/);
    end('in the end');
    expect(unfenced(await answer)).toBe('in the end');
    await closed;
  });

  it('does not start listening after it was closed', async () => {
    const server = serve(createDispatcher({ registry: new ToolRegistry() }), { http: {} });
    await server.close();
    const { url } = await server.ready;
    await expect(fetch(url!)).rejects.toThrow();
  });

  it('reports an address in use, and requires hosts for a public address', async () => {
    const { url } = await start();
    const second = serve(createDispatcher({ registry: new ToolRegistry() }), {
      http: { port: Number(new URL(url).port) },
    });
    await expect(second.ready).rejects.toMatchObject({
      name: 'McpError',
      code: 'INVALID_OPTION',
      message: expect.stringMatching(/^http\.port: can't listen on port \d+ of 127\.0\.0\.1: it is in use/),
    });
    await second.close();
    expect(() => serve(createDispatcher({ registry: new ToolRegistry() }), { http: { host: '0.0.0.0' } })).toThrow(
      /^http\.hosts: required when listening on 0\.0\.0\.0/,
    );
  });
});

describe('a connection to a bad server over HTTP', () => {
  it('fails a call at once when its stream ends before the response', async () => {
    const { url } = await bad(({ method }, response) => {
      if (method !== 'tools/call') return false;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': nothing yet\n\n');
      setImmediate(() => response.end());
      return true;
    });
    const { call } = await open({ url, idleTimeoutMs: 60_000 });
    const result = await call('bad_act');
    expect(result).toMatchObject({ ok: false, error: { code: 'REMOTE_ERROR' } });
    expect(unfenced(result)).toContain('ended before the response');
  });

  it('opens a new session when the server has forgotten the old one, and repeats the call', async () => {
    const { url, requests } = await bad(({ method }, response, request) => {
      if (method !== 'tools/call' || request.headers['mcp-session-id'] !== 'session-1') return false;
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"Session not found"}');
      return true;
    });
    const { call, connection } = await open({ url });
    expect(unfenced(await call('bad_act'))).toBe('done');
    expect(connection.state).toBe('ready');
    expect(requests.filter((request) => request === 'POST initialize')).toHaveLength(2);
    expect(unfenced(await call('bad_act'))).toBe('done');
    expect(requests.filter((request) => request === 'POST initialize')).toHaveLength(2);
  });

  it('waits for the Retry-After of a busy server and repeats the request', async () => {
    const { url, requests } = await bad(({ method }, response, _request, count) => {
      if (method !== 'tools/call' || count > 2) return false;
      response.writeHead(count === 1 ? 429 : 503, { 'retry-after': '0' }).end();
      return true;
    });
    const { call } = await open({ url });
    expect(unfenced(await call('bad_act'))).toBe('done');
    expect(requests.filter((request) => request === 'POST tools/call')).toHaveLength(3);
  });

  it('fails at once when Retry-After is too long', async () => {
    const { url } = await bad(({ method }, response) => {
      if (method !== 'tools/call') return false;
      response.writeHead(429, { 'retry-after': '3600' }).end('later');
      return true;
    });
    const { call } = await open({ url });
    expect(await call('bad_act')).toMatchObject({
      ok: false,
      error: { code: 'REMOTE_ERROR', details: { status: 429 } },
    });
  });

  it.each([
    ['a web page', 'text/html', '<html>Sign in</html>', 'status 200 with text/html'],
    ['broken JSON', 'application/json', '{"jsonrpc":"2.0","id":', 'status 200 with broken JSON'],
    ['nothing', 'application/json', '', 'protocol message: nothing'],
  ])('reports a response that is not a message, with its beginning: %s', async (_name, type, text, said) => {
    const { url } = await bad(({ method }, response) => {
      if (method !== 'tools/call') return false;
      response.writeHead(200, { 'content-type': type }).end(text);
      return true;
    });
    const { call, connection } = await open({ url });
    const result = await call('bad_act');
    expect(result).toMatchObject({ ok: false, error: { code: 'REMOTE_ERROR' } });
    expect(unfenced(result)).toContain(said);
    expect(connection.state).toBe('ready');
  });

  it('fails only the call whose response is too large', async () => {
    const { url } = await bad(({ method, id }, response, _request, count) => {
      if (method !== 'tools/call' || count > 2) return false;
      const result = { content: [{ type: 'text', text: 'x'.repeat(200_000) }] };
      if (count === 1) answerJson(response, { id, result });
      else
        response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .end(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
      return true;
    });
    const { call } = await open({ url, maxMessageBytes: 100_000 });
    expect(await call('bad_act')).toMatchObject({ ok: false });
    expect(await call('bad_act')).toMatchObject({ ok: false });
    expect(unfenced(await call('bad_act'))).toBe('done');
  });

  it('follows no redirect to another origin', async () => {
    const { url: elsewhere, requests } = await bad(() => false);
    const { url } = await bad((_message, response) => {
      response.writeHead(307, { location: elsewhere }).end();
      return true;
    });
    const error: unknown = await createConnection({ url, sseFallback: false }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(McpError);
    expect(requests).toEqual([]);
  });

  it('reopens a stream that ends at once with growing delays', async () => {
    let opened = (): void => undefined;
    const third = new Promise<void>((resolve) => (opened = resolve));
    const server = await bad(
      () => false,
      (response) => {
        if (server.streams.length === 3) opened();
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end();
      },
    );
    const { call } = await open({ url: server.url });
    await third;
    expect(unfenced(await call('bad_act'))).toBe('done');
  });

  it('reopens a failing stream with growing delays and one diagnostic', async () => {
    let opened = (): void => undefined;
    const fourth = new Promise<void>((resolve) => (opened = resolve));
    const server = await bad(
      () => false,
      (response) => {
        if (server.streams.length === 4) opened();
        response.writeHead(server.streams.length < 4 ? 500 : 405).end();
      },
    );
    const { call, connection } = await open({ url: server.url });
    await fourth;
    expect(unfenced(await call('bad_act'))).toBe('done');
    expect(connection.diagnostics.map(({ message }) => message)).toEqual([
      'the server answered status 500 to the request for a stream',
    ]);
  });

  it('accepts an error event as the response and does not resume its stream', async () => {
    const server = await bad(({ method, id }, response) => {
      if (method !== 'tools/call') return false;
      const error = { code: -32_602, message: 'city is missing' };
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(`id: 7\nevent: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, error })}\n\n`);
      return true;
    });
    const { call } = await open({ url: server.url });
    const before = server.streams.length;
    const result = await call('bad_act');
    expect(result).toMatchObject({ ok: false, error: { code: 'REMOTE_ERROR', details: { code: -32_602 } } });
    expect((await call('bad_act')).ok).toBe(false);
    expect(server.streams.length).toBe(before);
  });

  it('redacts its credentials from every message', async () => {
    const { url } = await bad(({ method }, response) => {
      if (method !== 'initialize') return false;
      response.writeHead(403).end('no access for hunter2hunter2');
      return true;
    });
    const error = (await createConnection({ url, headers: { authorization: 'Bearer hunter2hunter2' } }).catch(
      (reason: unknown) => reason,
    )) as McpError;
    expect(error.code).toBe('CONNECT_FAILED');
    expect(error.message).not.toContain('hunter2');
  });

  it('fails with the address when no server is running', async () => {
    const server = await startBadHttpServer(() => false);
    await server.close();
    await expect(createConnection({ url: server.url })).rejects.toMatchObject({
      code: 'CONNECT_FAILED',
      message: expect.stringContaining(server.url),
    });
  });
});

describe('changes that a server over HTTP announces', () => {
  const library = (): ReturnType<typeof createLibrary> =>
    createLibrary({ resources: [{ uri: 'note://a', name: 'a', type: 'text/plain', read: () => 'a' }] });

  it('are not promised to a legacy client without a session', async () => {
    const source = createDispatcher({ registry: createSampleRegistry(), permission: allowAll });
    const server = serve(source, { name: 'sample', library: library(), http: {} });
    cleanups.push(() => server.close());
    const { url } = await server.ready;
    const older = new OlderClient({ name: 'older', version: '1' });
    cleanups.push(() => older.close());
    await older.connect(new OlderTransport(new URL(url!)) as Parameters<OlderClient['connect']>[0]);
    expect(older.getServerCapabilities()).toMatchObject({ tools: {}, resources: {}, prompts: {} });
    expect(JSON.stringify(older.getServerCapabilities())).not.toMatch(/listChanged|subscribe/);
    await expect(older.subscribeResource({ uri: 'note://a' })).rejects.toThrow();
  });

  it('reach a legacy client with a session', async () => {
    const registry = createSampleRegistry();
    const notes = library();
    const source = createDispatcher({ registry, permission: allowAll });
    const server = serve(source, { name: 'sample', library: notes, http: { sessions: true } });
    cleanups.push(() => server.close());
    const { url } = await server.ready;
    const streaming = Promise.withResolvers<void>();
    const watched: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (init?.method === 'GET') streaming.resolve();
      return response;
    };
    const { connection, next } = await open({ url: url!, era: 'legacy', name: 'sample', fetch: watched });
    await connection.library.subscribe('note://a');
    // The stream is open before its first event.
    await streaming.promise;
    const updated = next('resource-updated');
    notes.notifyUpdated('note://a');
    expect(await updated).toMatchObject({ uri: 'note://a' });
  });
});

describe('a web page of an allowed origin', () => {
  const page = 'https://app.example.com';
  const preflight = (url: string, origin: string): Promise<Response> =>
    fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,mcp-method,mcp-param-city,authorization',
      },
    });

  it('may send the headers of the protocol, according to its preflight request', async () => {
    const authenticate = (): never => expect.fail('a preflight request has no credentials');
    const { url } = await start({ origins: ['app.example.com'], authenticate });
    const response = await preflight(url, page);
    expect(response.status).toBe(204);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': page,
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': 'content-type,mcp-method,mcp-param-city,authorization',
      vary: 'origin, access-control-request-headers',
    });
    expect(response.headers.has('access-control-allow-credentials')).toBe(false);
  });

  it('may read responses, session ids and refusals', async () => {
    const { url } = await start({ origins: ['app.example.com'], sessions: true, requestsPerMinute: 1 });
    const answered = await post(url, greeting, { origin: page });
    expect(answered.status).toBe(200);
    expect(answered.headers.get('access-control-allow-origin')).toBe(page);
    expect(answered.headers.get('access-control-expose-headers')).toContain('mcp-session-id');
    await answered.text();
    const refused = await post(url, greeting, { origin: page });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('access-control-allow-origin')).toBe(page);
  });

  it('gets no CORS headers if its origin is not allowed, and neither does a program', async () => {
    const { url } = await start({ origins: ['app.example.com'] });
    for (const response of [
      await preflight(url, 'https://evil.example.com'),
      await post(url, greeting, { origin: 'https://evil.example.com' }),
    ]) {
      expect(response.status).toBe(403);
      expect(response.headers.has('access-control-allow-origin')).toBe(false);
    }
    const program = await post(url, greeting);
    expect(program.headers.has('access-control-allow-origin')).toBe(false);
    await program.text();
  });
});
