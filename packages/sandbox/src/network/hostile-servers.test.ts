import { Buffer } from 'node:buffer';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { guardedFetch, type GuardedFetchOptions } from './guarded-fetch.ts';
import { createNetworkGuard } from './network-guard.ts';

// Servers that send raw bytes on loopback. Every name has a public address, and every connection leads to the server.
const servers = new Map<Server, Set<Socket>>();
afterEach(() => {
  for (const [server, sockets] of servers) {
    server.close();
    for (const socket of sockets) socket.destroy();
  }
  servers.clear();
});

interface HostileServer {
  /** Number of bytes that all connections of the client have received. */
  readonly received: () => number;
  /** Number of open connections of the client. */
  readonly open: () => number;
  fetch(options?: Partial<GuardedFetchOptions>, url?: string): ReturnType<typeof guardedFetch>;
}

async function serve(answer: (socket: Socket, request: string) => void): Promise<HostileServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', (bytes) => answer(socket, bytes.toString('latin1')));
  });
  servers.set(server, sockets);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const dialed: Socket[] = [];
  return {
    received: () => dialed.reduce((sum, socket) => sum + socket.bytesRead, 0),
    open: () => dialed.filter((socket) => !socket.destroyed).length,
    fetch: (options, url = 'http://a.example/') =>
      guardedFetch(url, {
        guard: createNetworkGuard({ resolve: async () => ['93.184.215.14'] }),
        dial() {
          const socket = connect({ host: '127.0.0.1', port });
          dialed.push(socket);
          return socket;
        },
        ...options,
      }),
  };
}

/** Returns a server that writes `unit` repeatedly, as fast as the client reads. */
function flood(head: string | Buffer, unit: string | Buffer) {
  const block = Buffer.concat(Array.from({ length: Math.ceil(65_536 / unit.length) }, () => Buffer.from(unit)));
  return (socket: Socket): void => {
    const write = (): void => {
      while (!socket.destroyed && socket.write(block));
      if (!socket.destroyed) socket.once('drain', write);
    };
    socket.write(head);
    write();
  };
}

/** Returns a server that writes `head` at once and a unit every few milliseconds. */
function trickle(head: string | Buffer, unit: (index: number) => string | Uint8Array) {
  return (socket: Socket): void => {
    let index = 0;
    socket.write(head);
    const timer = setInterval(() => socket.write(unit(index++)), 10);
    socket.once('close', () => clearInterval(timer));
  };
}

const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
const encoded = (encoding: string): string => `HTTP/1.1 200 OK\r\ncontent-encoding: ${encoding}\r\n\r\n`;

describe('guardedFetch from a server that changes the protocol', () => {
  it.each([
    ['101 with an upgrade', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'],
    ['101 with an upgrade to HTTP/2', 'HTTP/1.1 101 X\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\nPRI * HTTP/2.0'],
    ['101 without an upgrade', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
    ['101 with a length', 'HTTP/1.1 101 X\r\ncontent-length: 5\r\n\r\nhello'],
    ['101 after 100', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 101 X\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
    ['101 that redirects', 'HTTP/1.1 101 X\r\nlocation: /x\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
    ['200 with an upgrade', 'HTTP/1.1 200 OK\r\nupgrade: x\r\nconnection: upgrade\r\ncontent-length: 0\r\n\r\n'],
    ['status 000', 'HTTP/1.1 000 X\r\n\r\n'],
    ['status 199', 'HTTP/1.1 199 X\r\n\r\n'],
  ])('settles after %s and leaves no connection open', async (_, answer) => {
    const server = await serve((socket) => void socket.write(answer));
    const result = await server.fetch({ timeoutMs: 10_000, idleTimeoutMs: 300 });
    expect(result.ok ? result.status : result.code).toEqual(expect.toBeOneOf([200, 'FETCH_FAILED', 'FETCH_TIMEOUT']));
    expect(server.open()).toBe(0);
  });

  it.each(['GET', 'HEAD', 'POST', 'DELETE'] as const)('fails at once after a 101 in response to %s', async (method) => {
    const server = await serve(
      (socket) => void socket.write('HTTP/1.1 101 X\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'),
    );
    expect(await server.fetch({ method })).toMatchObject({ code: 'FETCH_FAILED' });
  });

  it('fails if the connection ends after informational responses only', async () => {
    const server = await serve((socket) => void socket.end('HTTP/1.1 100 Continue\r\n\r\n'));
    expect(await server.fetch()).toMatchObject({ code: 'FETCH_FAILED' });
  });
});

describe('guardedFetch from a server that sends endlessly', () => {
  it.each([
    ['100 Continue', flood('', 'HTTP/1.1 100 Continue\r\n\r\n')],
    ['102 Processing', flood('', 'HTTP/1.1 102 Processing\r\n\r\n')],
    ['103 Early Hints with large heads', flood('', `HTTP/1.1 103 Early Hints\r\nlink: ${'a'.repeat(8_000)}\r\n\r\n`)],
    ['one header', flood('HTTP/1.1 200 OK\r\nx: ', 'aaaaaaaa')],
    ['headers', flood('HTTP/1.1 200 OK\r\n', 'x: y\r\n')],
    ['a reason', flood('HTTP/1.1 200 ', 'OK ')],
    ['blank lines', flood('', '\r\n')],
    ['garbage', flood('', Buffer.from([0, 1, 2, 255]))],
    ['HTTP/0.9', flood('', 'hello ')],
    ['chunk extensions', flood(chunked, `1;${'a=b;'.repeat(2_000)}\r\na\r\n`)],
    ['one chunk extension', flood(`${chunked}1;`, 'aaaaaaaa')],
    ['zeros of a chunk size', flood(chunked, '00000000')],
    ['small chunks', flood(chunked, '1\r\na\r\n')],
    ['trailers', flood(`${chunked}0\r\n`, 'x: y\r\n')],
    ['one trailer', flood(`${chunked}0\r\nx: `, 'aaaaaaaa')],
    ['a body', flood('HTTP/1.1 200 OK\r\n\r\n', 'aaaaaaaa')],
    ['a body of a redirect', flood('HTTP/1.1 302 X\r\nlocation: /x\r\n\r\n', 'aaaaaaaa')],
    ['empty members of gzip', flood(encoded('gzip'), gzipSync(''))],
    [
      'empty blocks of deflate',
      flood(
        Buffer.concat([Buffer.from(encoded('deflate')), Buffer.from([0x78, 0x9c])]),
        Buffer.from([0, 0, 0, 255, 255]),
      ),
    ],
    ['an unknown encoding', flood(encoded('zstd'), 'aaaaaaaa')],
  ])('reads no more than its budget of %s', async (_, answer) => {
    const server = await serve(answer);
    const result = await server.fetch({ maxBytes: 100_000, timeoutMs: 20_000 });
    expect(result.ok ? 'ok' : result.code).toEqual(
      expect.toBeOneOf(['RESPONSE_TOO_LARGE', 'FETCH_FAILED', 'TOO_MANY_REDIRECTS']),
    );
    // Each of the five redirects is a separate request.
    expect(server.received()).toBeLessThan(6 * 330_000 + 200_000);
    expect(server.open()).toBe(0);
  });

  it('includes informational responses of all redirects in the budget', async () => {
    const informational = 'HTTP/1.1 103 X\r\n\r\n'.repeat(12_000);
    const server = await serve((socket) => void socket.write(`${informational}HTTP/1.1 302 X\r\nlocation: /\r\n\r\n`));
    await server.fetch({ maxBytes: 10_000_000, maxRedirects: 20 });
    expect(server.received()).toBeLessThan(21 * 330_000);
  });

  it('reads a large page in small chunks', async () => {
    const server = await serve(
      (socket) => void socket.end(`${chunked}${'a\r\n0123456789\r\n'.repeat(100_000)}0\r\n\r\n`),
    );
    const result = await server.fetch({ maxBytes: 1_000_000 });
    expect(result.ok && result.body.length).toBe(1_000_000);
  });

  it('reads a page after Early Hints', async () => {
    const server = await serve(
      (socket) => void socket.end('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK\r\n\r\nhello'),
    );
    const result = await server.fetch();
    expect(result.ok && Buffer.from(result.body).toString()).toBe('hello');
  });
});

describe('guardedFetch from a slow server', () => {
  const gzipped = gzipSync(Buffer.from(Array.from({ length: 20_000 }, (_, index) => `line ${index}`).join('\n')));
  const brotlied = brotliCompressSync(Buffer.from('hello '.repeat(1_000)));
  it.each([
    ['the status line', trickle('', (index) => 'HTTP/1.1 200 OK'[index] ?? ' ')],
    ['the headers', trickle('HTTP/1.1 200 OK\r\n', (index) => `x-${index}: y\r\n`)],
    ['informational answers', trickle('', () => 'HTTP/1.1 103 X\r\n\r\n')],
    ['a body that ends with the connection', trickle('HTTP/1.1 200 OK\r\n\r\nhello', () => 'a')],
    ['a body of HTTP/1.0', trickle('HTTP/1.0 200 OK\r\n\r\nhello', () => 'a')],
    ['a body with a length', trickle('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n', () => 'a')],
    ['a body in chunks', trickle(chunked, () => '1\r\na\r\n')],
    ['a chunk', trickle(`${chunked}ffff\r\n`, () => 'a')],
    ['a chunk size', trickle(chunked, () => '0')],
    ['trailers', trickle(`${chunked}1\r\na\r\n0\r\n`, (index) => `x-${index}: y\r\n`)],
    ['a body in gzip', trickle(encoded('gzip'), (index) => gzipped.subarray(index * 20, index * 20 + 20))],
    ['a body in Brotli', trickle(encoded('br'), (index) => brotlied.subarray(index, index + 1))],
    ['members of gzip', trickle(encoded('gzip'), () => gzipSync('a'))],
  ])('fails at the deadline while data still arrives: %s', async (_, answer) => {
    const server = await serve(answer);
    const result = await server.fetch({ timeoutMs: 400 });
    expect(result).toMatchObject({ ok: false, code: 'FETCH_TIMEOUT', message: 'the fetch took more than 400 ms' });
    expect(server.open()).toBe(0);
  });

  it('applies one deadline to a chain of redirects', async () => {
    const server = await serve(
      (socket) => void setTimeout(() => socket.end('HTTP/1.1 302 X\r\nlocation: /x\r\n\r\n'), 100),
    );
    expect(await server.fetch({ timeoutMs: 400, maxRedirects: 1_000 })).toMatchObject({ code: 'FETCH_TIMEOUT' });
    expect(server.open()).toBe(0);
  });

  it('fails if the TLS handshake never ends', async () => {
    const server = await serve(() => {});
    const result = await server.fetch({ connectTimeoutMs: 200 }, 'https://a.example/');
    expect(result).toMatchObject({ code: 'FETCH_TIMEOUT' });
    expect(server.open()).toBe(0);
  });

  it('fails if a TLS handshake is very slow or a flood of records', async () => {
    // Records of a handshake message that announces more data than will ever arrive.
    const slow = await serve(
      trickle(Buffer.from([22, 3, 3, 0, 4, 2, 0, 255, 255]), () => Buffer.from([22, 3, 3, 0, 1, 0])),
    );
    expect(await slow.fetch({ connectTimeoutMs: 200 }, 'https://a.example/')).toMatchObject({ ok: false });
    const fast = await serve(flood(Buffer.from([22, 3, 3, 0, 4, 2, 0, 255, 255]), Buffer.from([22, 3, 3, 0, 1, 0])));
    expect(await fast.fetch({}, 'https://a.example/')).toMatchObject({ ok: false });
    expect(fast.received()).toBeLessThan(400_000);
    expect(slow.open() + fast.open()).toBe(0);
  });
});

describe('guardedFetch from a server whose response breaks off', () => {
  const reset = (head: string) => (socket: Socket) =>
    void socket.write(head, () => setImmediate(() => socket.resetAndDestroy()));
  it.each([
    ['a body that ends with the connection, by a reset', reset('HTTP/1.1 200 OK\r\n\r\nhello')],
    ['a body of HTTP/1.0, by a reset', reset('HTTP/1.0 200 OK\r\n\r\nhello')],
    ['a body with a length, by a reset', reset('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhello')],
    ['a body with a length', (socket: Socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhello')],
    ['a body in chunks', (socket: Socket) => void socket.end(`${chunked}5\r\nhello\r\n`)],
    ['a body in chunks, by garbage', (socket: Socket) => void socket.end(`${chunked}5\r\nhello\r\nzz`)],
    ['trailers', (socket: Socket) => void socket.end(`${chunked}5\r\nhello\r\n0\r\nx: y\r\n`)],
    [
      'gzip',
      (socket: Socket) =>
        void socket.end(Buffer.concat([Buffer.from(encoded('gzip')), gzipSync('hello').subarray(0, -3)])),
    ],
    [
      'Brotli',
      (socket: Socket) =>
        void socket.end(
          Buffer.concat([Buffer.from(encoded('br')), brotliCompressSync('hello '.repeat(99)).subarray(0, -3)]),
        ),
    ],
    ['the head', (socket: Socket) => void socket.end('HTTP/1.1 200 OK\r\nx: y\r\n')],
    [
      'two lengths',
      (socket: Socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello'),
    ],
    [
      'a length and chunks',
      (socket: Socket) =>
        void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\nhello'),
    ],
  ])('fails instead of returning a partial response: %s', async (_, answer) => {
    const server = await serve(answer);
    expect(await server.fetch()).toMatchObject({ ok: false, code: 'FETCH_FAILED' });
    expect(server.open()).toBe(0);
  });

  it('accepts a response that arrives before the request is sent completely', async () => {
    const server = await serve((socket) => void socket.end('HTTP/1.1 413 Too Large\r\ncontent-length: 2\r\n\r\nno'));
    const result = await server.fetch({ method: 'POST', body: Buffer.alloc(200_000) });
    expect(result.ok ? result.status : result.code).toEqual(expect.toBeOneOf([413, 'FETCH_FAILED']));
    expect(server.open()).toBe(0);
  });

  it('ignores data after the end of a response', async () => {
    const second = 'HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nsecond';
    const server = await serve(
      (socket) => void socket.end(`HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nfirst${second}`),
    );
    const result = await server.fetch();
    expect(result.ok && Buffer.from(result.body).toString()).toBe('first');
  });
});
