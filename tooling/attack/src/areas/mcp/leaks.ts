import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';

import { createConnection, type ConnectionOptions } from '@haft/mcp';

import type { Attack, AttackGround } from '../../attack.ts';

const token = 'tok-3nv1ron-zq81-longer-than-many-others-4711';
/** A part of the token that is long enough to count as a leak. */
const traces = [token.slice(0, 12), token.slice(-12), token.slice(12, 24)];

type Answer = (response: ServerResponse, id: unknown, request: IncomingMessage) => void;

const json =
  (make: (id: unknown) => object): Answer =>
  (response, id) =>
    void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, ...make(id) }));
const text =
  (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body);
const raw =
  (bytes: string): Answer =>
  (_response, _id, { socket }) =>
    void socket.end(bytes);

const answers: Readonly<Record<string, Answer>> = {
  ...Object.fromEntries(
    [400, 401, 403, 404, 405, 418, 429, 500, 502, 503].map((status) => [
      `the body of status ${status}`,
      text(status, `<b>${token}</b>`, { 'www-authenticate': `Bearer error_description="${token}"` }),
    ]),
  ),
  'a page instead of a message': text(200, token),
  'a page that is cut within it': text(200, 'x'.repeat(184) + token),
  'an error that is cut within it': json(() => ({ error: { code: -32_000, message: 'x'.repeat(482) + token } })),
  'the members of an error': json(() => ({ error: { code: -1, message: token, data: { [token]: [token] } } })),
  'the type of an answer': text(200, 'x', { 'content-type': `text/${token}` }),
  'a type that is cut within it': text(200, 'x', { 'content-type': `text/${'x'.repeat(30)}${token}` }),
  'broken JSON': text(200, `{"a":"${token}`, { 'content-type': 'application/json' }),
  'a version of the protocol': json(() => ({
    result: { protocolVersion: token, capabilities: {}, serverInfo: { name: token, version: token } },
  })),
  'a result that does not fit': json(() => ({ result: { [token]: token } })),
  'a redirect': text(302, '', { location: `https://hostile.example/?t=${token}` }),
  'a redirect to no address': text(307, '', { location: `http://[${token}` }),
  'a stream of events': text(200, `event: ${token}\ndata: ${token}\n\n`, { 'content-type': 'text/event-stream' }),
  'an address of a login': text(401, '', {
    'www-authenticate': `Bearer resource_metadata="http://127.0.0.1:1/${token}"`,
  }),
  'the words of a status': raw(`HTTP/1.1 500 ${token}\r\ncontent-length: 0\r\n\r\n`),
  'what is not HTTP': raw(`HTTP/1.1 ${token}\r\n${token}\r\n\r\n`),
};

/** Connects, and returns the part of the token that errors, events and diagnostics reveal. */
async function findTrace(ground: AttackGround, options: ConnectionOptions): Promise<string | undefined> {
  const events: unknown[] = [];
  const made = await createConnection({
    restart: false,
    startTimeoutMs: 5_000,
    onEvent: (event) => events.push(event),
    ...options,
  }).catch((reason: unknown) => reason as Error);
  if (!(made instanceof Error)) ground.onEnd(() => made.close());
  const leakSource = made instanceof Error ? made : [made.server, made.diagnostics, made.stderr()];
  const shown = inspect([leakSource, events], { depth: Infinity, showHidden: true, maxStringLength: null });
  const found = traces.find((trace) => shown.includes(trace));
  return found === undefined ? undefined : `${found} was shown`;
}

const overHttp: readonly Attack[] = Object.entries(answers).map(([what, answer]) => ({
  name: `A server causes an error that shows the token of a connection by ${what}`,
  async run(ground) {
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const { id = 1 } = (body === '' ? {} : JSON.parse(body)) as { readonly id?: unknown };
        answer(response, id, request);
      });
    });
    ground.onEnd(() => {
      server.closeAllConnections();
      server.close();
    });
    await new Promise<void>((started) => server.listen(0, '127.0.0.1', started));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    return findTrace(ground, { url, headers: { authorization: `Bearer ${token}` } });
  },
}));

const said = 'process.env.TOKEN';
const programs: Readonly<Record<string, string>> = {
  'its standard error': said,
  'the end of its standard error': `${said} + 'y'.repeat(2_020)`,
  'the end of all that is kept of its standard error': `${said} + 'y'.repeat(65_500)`,
  'its standard error, in colours': `[...${said}].join('\\x1b[0m')`,
  'its standard error, with characters that are not seen': `[...${said}].join('\\u200b')`,
  'its standard error, in base64 over lines': `btoa('abc' + ${said}).replace(/.{20}/g, '$&\\n')`,
};
const overPipes: readonly Attack[] = Object.entries(programs).map(([what, expression]) => ({
  name: `A server causes an error that shows its variable by ${what}`,
  run: (ground) =>
    findTrace(ground, {
      command: process.execPath,
      args: ['-e', `process.stderr.write(${expression}, () => process.exit(3))`],
      env: { TOKEN: token },
      era: 'legacy',
    }),
}));

/** Servers that repeat the client's secrets in unexpected places. */
export const leakAttacks: readonly Attack[] = [
  ...overHttp,
  ...overPipes,
  {
    name: 'The error for an unknown host name shows the token in its address',
    run: (ground) => findTrace(ground, { url: `http://${token}.invalid/mcp`, secrets: [token] }),
  },
  {
    name: 'The error for a missing program shows the token in its arguments',
    run: (ground) => findTrace(ground, { command: `/nowhere/${token}`, args: [token], secrets: [token] }),
  },
];
