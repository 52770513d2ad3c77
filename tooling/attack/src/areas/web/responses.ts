import { request } from 'node:http';
import type { Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

import type { Attack, AttackGround } from '../../attack.ts';
import { flood, startHostileServer, trickle } from './hostile-server.ts';

type Answer = (socket: Socket) => void;

const ok = 'HTTP/1.1 200 OK\r\n';
const chunked = `${ok}transfer-encoding: chunked\r\n\r\n`;
const encoded = (encoding: string): string => `${ok}content-encoding: ${encoding}\r\n\r\n`;
const upgrade = 'HTTP/1.1 101 X\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n';
const text =
  (answer: string | Uint8Array): Answer =>
  (socket) =>
    void socket.write(answer);
const end =
  (answer: string | Uint8Array): Answer =>
  (socket) =>
    void socket.end(answer);
const reset =
  (answer: string): Answer =>
  (socket) =>
    void socket.write(answer, () => setImmediate(() => socket.resetAndDestroy()));
const join = (...pieces: readonly (string | Uint8Array)[]): Uint8Array =>
  Buffer.concat(pieces.map((one) => Buffer.from(one)));

const hangs: Readonly<Record<string, Answer>> = {
  '101 with an upgrade': text(upgrade),
  '101 without an upgrade': text('HTTP/1.1 101 X\r\n\r\n'),
  '101 after 103': text(`HTTP/1.1 103 X\r\n\r\n${upgrade}`),
  '101 with a redirect': text(upgrade.replace('\r\n', '\r\nlocation: /\r\n')),
  '101 to HTTP/2': text(`${upgrade.replace('websocket', 'h2c')}PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`),
  '103 and the end': end('HTTP/1.1 103 X\r\n\r\n'),
  'no answer': () => {},
};

const floods: Readonly<Record<string, Answer>> = {
  '100 Continue': flood('', 'HTTP/1.1 100 Continue\r\n\r\n'),
  '103 Early Hints': flood('', `HTTP/1.1 103 X\r\nlink: ${'a'.repeat(9_000)}\r\n\r\n`),
  'blank lines': flood('', '\r\n'),
  headers: flood(ok, 'x: y\r\n'),
  'one header': flood(`${ok}x: `, 'aaaa'),
  trailers: flood(`${chunked}0\r\n`, 'x: y\r\n'),
  'chunk extensions': flood(chunked, `1;${'a=b;'.repeat(3_000)}\r\na\r\n`),
  'zeros of a chunk size': flood(chunked, '0000'),
  'empty members of gzip': flood(encoded('gzip'), gzipSync('')),
  'empty blocks of deflate': flood(join(encoded('deflate'), Buffer.from([120, 156])), Buffer.from([0, 0, 0, 255, 255])),
  'bodies of redirects': flood('HTTP/1.1 302 X\r\nlocation: /\r\n\r\n', 'aaaa'),
  garbage: flood('', Buffer.from([0, 7, 255])),
  'HTTP/0.9': flood('', 'hello '),
};

const bombs: Readonly<Record<string, Answer>> = {
  gzip: end(join(encoded('gzip'), gzipSync(Buffer.alloc(50_000_000)))),
  deflate: end(join(encoded('deflate'), deflateSync(Buffer.alloc(50_000_000)))),
  Brotli: end(join(encoded('br'), brotliCompressSync(Buffer.alloc(50_000_000)))),
};

const packed = brotliCompressSync(Buffer.from('hello '.repeat(9_000)));
const trickles: Readonly<Record<string, Answer>> = {
  'a body that ends with the connection': trickle(`${ok}\r\nhello`, () => 'a'),
  'a body of HTTP/1.0': trickle('HTTP/1.0 200 OK\r\n\r\nhello', () => 'a'),
  'a body in chunks': trickle(chunked, () => '1\r\na\r\n'),
  'a body with a length': trickle(`${ok}content-length: 999999\r\n\r\n`, () => 'a'),
  'members of gzip': trickle(encoded('gzip'), () => gzipSync('a')),
  'a body in Brotli': trickle(encoded('br'), (index) => packed.subarray(index, index + 1)),
  headers: trickle(ok, (index) => `x-${index}: y\r\n`),
  trailers: trickle(`${chunked}1\r\na\r\n0\r\n`, (index) => `x-${index}: y\r\n`),
  'informational answers': trickle('', () => 'HTTP/1.1 103 X\r\n\r\n'),
  redirects: (socket) => void setTimeout(() => socket.end('HTTP/1.1 302 X\r\nlocation: /\r\n\r\n'), 60),
};

const parts: Readonly<Record<string, Answer>> = {
  'a reset of a body without a length': reset(`${ok}\r\nhello`),
  'a reset of a body of HTTP/1.0': reset('HTTP/1.0 200 OK\r\n\r\nhello'),
  'a wrong length': end(`${ok}content-length: 10\r\n\r\nhello`),
  'chunks without an end': end(`${chunked}5\r\nhello\r\n`),
  'gzip without an end': end(join(encoded('gzip'), gzipSync('hello').subarray(0, -4))),
  'two lengths': end(`${ok}content-length: 5\r\ncontent-length: 9\r\n\r\nhello`),
};

/** Attacks on `guardedFetch` by the responses of a server. */
export const responseAttacks: readonly Attack[] = [
  ...from(hangs, 'hangs a fetch and keeps its connection', async (answer, ground) => {
    const server = await startHostileServer(ground, answer);
    const result = await server.fetch({ timeoutMs: 5_000, idleTimeoutMs: 500 });
    if (result.ok) return `the fetch succeeded with status ${result.status}`;
    return server.open() > 0 ? 'a connection is still open' : undefined;
  }),
  ...from(floods, 'makes a client read endlessly', async (answer, ground) => {
    const server = await startHostileServer(ground, answer);
    const result = await server.fetch({ maxBytes: 100_000, timeoutMs: 4_000 });
    if (result.ok) return 'the fetch succeeded';
    const most = 6 * 500_000;
    return server.received() > most ? `${server.received()} bytes were read` : undefined;
  }),
  ...from(bombs, 'unpacks to more than a client allows', async (answer, ground) => {
    const server = await startHostileServer(ground, answer);
    const before = process.memoryUsage().rss;
    const result = await server.fetch({ maxBytes: 1_000_000 });
    if (result.ok) return `${result.body.length} bytes were unpacked`;
    const grown = process.memoryUsage().rss - before;
    return grown > 64_000_000 ? `memory grew by ${grown} bytes` : undefined;
  }),
  ...from(trickles, 'outlasts the time limit or passes for whole', async (answer, ground) => {
    const server = await startHostileServer(ground, answer);
    const startedAt = performance.now();
    const result = await server.fetch({ timeoutMs: 300, maxRedirects: 1_000 });
    if (result.ok) return `a part of ${result.body.length} bytes passed for the whole`;
    if (performance.now() - startedAt > 3_000) return 'the fetch went on after its time limit';
    return result.code === 'FETCH_TIMEOUT' ? undefined : `the failure is ${result.code}`;
  }),
  ...from(parts, 'passes for a whole answer', async (answer, ground) => {
    const server = await startHostileServer(ground, answer);
    const result = await server.fetch();
    return result.ok ? `"${Buffer.from(result.body).toString()}" passed for the whole` : undefined;
  }),
  {
    name: 'A client without a budget reads a flood of informational responses',
    async run(ground) {
      const server = await startHostileServer(ground, flood('', 'HTTP/1.1 103 X\r\n\r\n'));
      await server.fetch({ timeoutMs: 2_000 });
      return server.received() > 1_000_000 ? `${server.received()} bytes were read` : undefined;
    },
    async control(ground) {
      const server = await startHostileServer(ground, flood('', 'HTTP/1.1 103 X\r\n\r\n'));
      const socket = server.access.dial('93.184.215.14', 80);
      const sent = request({ createConnection: () => socket, signal: AbortSignal.timeout(1_000) });
      await new Promise((resolve) => sent.once('error', resolve).end());
      return server.received() > 1_000_000;
    },
  },
];

function from(
  answers: Readonly<Record<string, Answer>>,
  purpose: string,
  run: (answer: Answer, ground: AttackGround) => Promise<string | undefined>,
): readonly Attack[] {
  return Object.entries(answers).map(([what, answer]) => ({
    name: `A server ${purpose} by: ${what}`,
    run: (ground) => run(answer, ground),
  }));
}
