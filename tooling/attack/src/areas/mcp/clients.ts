import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import { allowAll, createDispatcher, defineTool } from '@haft/core';
import { serve, type ListenOptions } from '@haft/mcp';

import type { Attack, AttackGround } from '../../attack.ts';

const echo = defineTool({
  name: 'echo',
  description: 'Echoes.',
  input: { type: 'object' },
  kind: 'read',
  execute: () => 'echo',
});

async function listen(ground: AttackGround, http: ListenOptions = {}): Promise<URL> {
  const server = serve(createDispatcher({ registry: [echo], permission: allowAll }), { http });
  ground.onEnd(() => server.close());
  const { url } = await server.ready;
  return new URL(url ?? '');
}

const greeting = (id: unknown = 1): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  });
const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const post = (url: URL, body: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { ...usual, ...headers }, body });

/** Sends bytes unchanged, and returns what arrives within a moment. */
async function sendRaw(ground: AttackGround, url: URL, parts: readonly (string | Uint8Array)[]): Promise<string> {
  const socket = connect(Number(url.port), url.hostname);
  ground.onEnd(() => void socket.destroy());
  socket.on('error', () => undefined);
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1').slice(0, 100_000 - answer.length)));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  for (const part of parts) {
    if (socket.destroyed) break;
    if (!socket.write(part))
      await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed, delay(500)]);
  }
  await Promise.race([closed, delay(300)]);
  return answer;
}

const head = (more: string): string =>
  `POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\n${more}\r\n`;
const withBody = (body: string | Uint8Array, more = ''): readonly (string | Uint8Array)[] => [
  head(`content-length: ${typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength}\r\n${more}`),
  body,
];

const rawRequests: Readonly<Record<string, () => readonly (string | Uint8Array)[]>> = {
  'endless headers': () => [
    head('').slice(0, -2),
    ...Array.from({ length: 200 }, (_, at) => `x-${at}: ${'x'.repeat(1_000)}\r\n`),
  ],
  'thousands of headers': () => [head(Array.from({ length: 5_000 }, (_, at) => `x${at}: 1\r\n`).join(''))],
  'endless chunk extensions': () => [
    head('transfer-encoding: chunked\r\n'),
    ...Array.from({ length: 50 }, () => `1;${'x'.repeat(20_000)}\r\nx\r\n`),
  ],
  'endless chunks': () => [
    head('transfer-encoding: chunked\r\n'),
    ...Array.from({ length: 100 }, () => `10000\r\n${'x'.repeat(0x10000)}\r\n`),
  ],
  'a body that is larger than announced': () => [head('content-length: 10\r\n'), 'x'.repeat(1_000_000)],
  'a body that is smaller than announced': () => [head('content-length: 1000000\r\n'), '{}'],
  'a body that is announced twice': () => [head('content-length: 2\r\ntransfer-encoding: chunked\r\n'), '{}'],
  'a body of hundreds of gigabytes': () => [head('content-length: 999999999999\r\n'), 'x'.repeat(100_000)],
  'a body in gzip that unpacks to much': () =>
    withBody(gzipSync(Buffer.alloc(50_000_000)), 'content-encoding: gzip\r\n'),
  'JSON that is nested deeply': () => withBody('['.repeat(1_000_000)),
  'objects that are nested deeply': () =>
    withBody(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`,
    ),
  'a batch of thousands': () =>
    withBody(
      `[${Array.from({ length: 20_000 }, (_, id) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`).join(',')}]`,
    ),
  'an id of megabytes': () => withBody(greeting('x'.repeat(3_000_000))),
  'an id that is an object': () => withBody(greeting({ a: 1 })),
  'members that reach into objects': () =>
    withBody(
      '{"__proto__":{"polluted":1},"jsonrpc":"2.0","id":1,"method":"ping","params":{"__proto__":{"polluted":1}}}',
    ),
  'a hundred requests at once': () => [
    Array.from({ length: 100 }, () => withBody('{"jsonrpc":"2.0","id":1,"method":"ping"}').join('')).join(''),
  ],
  'a method that there is not': () => ['TRACE /mcp HTTP/1.1\r\nhost: localhost\r\n\r\n'],
  'a line break in the address': () => ['POST /mcp\r\nx: y HTTP/1.1\r\nhost: localhost\r\n\r\n'],
  'what is not HTTP': () => [`\u0016\u0003\u0001${'\u0000'.repeat(1_000)}`],
};

const malformed: readonly Attack[] = Object.entries(rawRequests).map(([what, parts]) => ({
  name: `A client blocks the answers to others by ${what}`,
  async run(ground) {
    const url = await listen(ground, { requestsPerMinute: 100_000 });
    const sent = parts();
    const before = process.memoryUsage().rss;
    await Promise.all([1, 2, 3].map(() => sendRaw(ground, url, sent)));
    if ('polluted' in {}) return 'every object has a new member';
    const startedAt = performance.now();
    const answer = await post(url, greeting());
    const took = performance.now() - startedAt;
    if (answer.status !== 200) return `an honest request got status ${answer.status}`;
    if (took > 3_000) return `an honest request took ${Math.round(took)} ms`;
    const growth = process.memoryUsage().rss - before;
    return growth < 300 * 1024 * 1024 ? undefined : `the server grew by ${Math.round(growth / 1024 / 1024)} MB`;
  },
}));

const authenticate: NonNullable<ListenOptions['authenticate']> = (request) => {
  const name = request.headers.get('authorization') ?? 'bad';
  return Promise.resolve(
    name.startsWith('bad') ? new Response(null, { status: 401 }) : { clientId: name, token: name, scopes: [] },
  );
};

async function beginAs(url: URL, authorization: string): Promise<string> {
  const answer = await post(url, greeting(), { authorization });
  await answer.text();
  return answer.headers.get('mcp-session-id') ?? '';
}
const isAlive = async (url: URL, authorization: string, id: string): Promise<boolean> =>
  (await post(url, '{"jsonrpc":"2.0","method":"notifications/initialized"}', { authorization, 'mcp-session-id': id }))
    .status === 202;

const names: Readonly<Record<string, string>> = {
  'a name that is pointed at it': 'host: evil.example\r\n',
  'a name that begins like its own': 'host: localhost.evil.example\r\n',
  'the address of a cloud': 'host: 169.254.169.254\r\n',
  'a page of another origin': 'host: localhost\r\norigin: https://evil.example\r\n',
  'a page without an origin': 'host: localhost\r\norigin: null\r\n',
};
const reaching: readonly Attack[] = Object.entries(names).map(([what, header]) => ({
  name: `A web page reaches the server by ${what}`,
  async run(ground) {
    const url = await listen(ground);
    const body = greeting();
    const request = head(`content-length: ${body.length}\r\n`).replace('host: localhost\r\n', header);
    const answer = await sendRaw(ground, url, [request, body]);
    return answer.startsWith('HTTP/1.1 4') ? undefined : `it was answered: ${answer.slice(0, 60)}`;
  },
  async control(ground) {
    const body = greeting();
    const answer = await sendRaw(ground, await listen(ground), [head(`content-length: ${body.length}\r\n`), body]);
    return answer.startsWith('HTTP/1.1 200');
  },
}));

/** Attacks by callers of a server over HTTP. */
export const clientAttacks: readonly Attack[] = [
  ...malformed,
  ...reaching,
  {
    name: 'A caller closes the session of another by starting 1,001 of its own',
    isLong: true,
    timeoutMs: 60_000,
    async run(ground) {
      const url = await listen(ground, { sessions: true, authenticate, requestsPerMinute: 100_000 });
      const victim = await beginAs(url, 'victim');
      for (let count = 0; count < 1_001; count += 7)
        await Promise.all(Array.from({ length: 7 }, () => beginAs(url, 'greedy')));
      return (await isAlive(url, 'victim', victim)) ? undefined : 'the session is gone';
    },
  },
  {
    name: 'A caller uses, resumes or ends the session of another by its id',
    async run(ground) {
      const url = await listen(ground, { sessions: true, authenticate });
      const id = await beginAs(url, 'victim');
      const headers = { authorization: 'thief', 'mcp-session-id': id, 'last-event-id': '_GET_stream_1' };
      const resumed = await fetch(url, { headers: { ...headers, accept: 'text/event-stream' } });
      const ended = await fetch(url, { method: 'DELETE', headers });
      if (resumed.ok || ended.ok || (await isAlive(url, 'thief', id))) return 'the session could be used';
      return (await isAlive(url, 'victim', id)) ? undefined : 'the session was ended';
    },
  },
  {
    name: 'A caller tries thousands of tokens, and each causes a lookup',
    async run(ground) {
      let asked = 0;
      const url = await listen(ground, {
        requestsPerMinute: 50,
        authenticate(request) {
          asked += 1;
          return authenticate(request);
        },
      });
      for (let count = 0; count < 500; count += 50)
        await Promise.all(
          Array.from({ length: 50 }, (_, at) => post(url, '{}', { authorization: `bad ${count + at}` })),
        );
      return asked <= 50 ? undefined : `${asked} tokens were looked up`;
    },
  },
  {
    name: 'A client begins hundreds of requests and sends their headers a letter at a time',
    isLong: true,
    timeoutMs: 60_000,
    async run(ground) {
      const url = await listen(ground);
      const sockets = Array.from({ length: 200 }, () =>
        connect(Number(url.port), url.hostname).on('error', () => undefined),
      );
      ground.onEnd(() => sockets.forEach((socket) => socket.destroy()));
      for (const socket of sockets) socket.write('POST /mcp HTTP/1.1\r\nhost: localhost\r\n');
      const until = performance.now() + 16_000;
      while (performance.now() < until) {
        for (const socket of sockets) if (!socket.destroyed) socket.write('x');
        await delay(1_000);
      }
      const open = sockets.filter((socket) => !socket.destroyed && !socket.readableEnded).length;
      return open === 0 ? undefined : `${open} connections are open`;
    },
  },
];
