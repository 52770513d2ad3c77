import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { connect, createServer as createSocketServer, type AddressInfo, type Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { guardedFetch, type GuardedFetchOptions } from './guarded-fetch.ts';
import { createNetworkGuard } from './network-guard.ts';

// All traffic stays on this machine: names resolve here, and every connection leads to a server on loopback.
const publicAddress = '93.184.215.14';
const servers: { close(): unknown; closeAllConnections?(): void }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections?.();
    server.close();
  }
});

interface Fake {
  readonly port: number;
  readonly dialed: string[];
  readonly requests: { readonly url: string; readonly method: string; readonly headers: IncomingMessage['headers'] }[];
  fetch(url: string, options?: Partial<GuardedFetchOptions>): ReturnType<typeof guardedFetch>;
}

async function start(listener: RequestListener, raw?: (socket: Socket) => void): Promise<Fake> {
  const requests: Fake['requests'] = [];
  const dialed: string[] = [];
  const server = raw
    ? createSocketServer(raw)
    : createServer((request, response) => {
        requests.push({ url: request.url ?? '', method: request.method ?? '', headers: request.headers });
        listener(request, response);
      });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const guard = createNetworkGuard({
    resolve: async (hostname) => (hostname === 'inside.example' ? ['10.0.0.1'] : [publicAddress]),
  });
  return {
    port,
    dialed,
    requests,
    fetch: (url, options) =>
      guardedFetch(url, {
        guard,
        dial(address, wanted) {
          dialed.push(`${address}:${wanted}`);
          return connect({ host: '127.0.0.1', port });
        },
        ...options,
      }),
  };
}

const codeOf = (result: Awaited<ReturnType<typeof guardedFetch>>): string =>
  result.ok ? `${result.status}` : result.code;
const textOf = (result: Awaited<ReturnType<typeof guardedFetch>>): string =>
  result.ok ? Buffer.from(result.body).toString() : result.message;

describe('guardedFetch', () => {
  it('connects to the checked address and sends the host name', async () => {
    const fake = await start((_, response) => response.setHeader('x-a', ['1', '2']).end('hello'));
    const result = await fake.fetch('http://a.example:81/b?c#d', { headers: { Accept: 'text/html' } });
    expect(result).toMatchObject({
      ok: true,
      status: 200,
      url: 'http://a.example:81/b?c#d',
      redirects: [],
      headers: { 'x-a': '1, 2' },
    });
    expect(textOf(result)).toBe('hello');
    expect(fake.dialed).toEqual([`${publicAddress}:81`]);
    expect(fake.requests[0]).toMatchObject({ url: '/b?c', headers: { host: 'a.example:81', accept: 'text/html' } });
  });

  it('does not connect to URLs that the guard refuses', async () => {
    const fake = await start((_, response) => response.end());
    for (const url of ['http://inside.example/', 'http://127.0.0.1/', 'http://[::ffff:7f00:1]/', 'file:///etc/passwd'])
      expect(codeOf(await fake.fetch(url))).toBe('URL_REFUSED');
    expect(fake.dialed).toEqual([]);
  });

  it.each([
    'http://127.0.0.1/',
    'http://inside.example/',
    '//169.254.169.254/latest',
    'file:///etc/passwd',
    'gopher://a.example/',
    'http://user:secret@a.example/',
    'http://[',
  ])('does not follow a redirect to %s', async (location) => {
    const fake = await start((_, response) => response.writeHead(302, { location }).end());
    expect(codeOf(await fake.fetch('http://a.example/'))).toBe('URL_REFUSED');
    expect(fake.requests).toHaveLength(1);
  });

  it('checks every redirect again, even to the same host', async () => {
    const answers = [[publicAddress], ['127.0.0.1']];
    const guard = createNetworkGuard({ resolve: async () => answers.shift()! });
    const fake = await start((_, response) => response.writeHead(302, { location: '/again' }).end());
    expect(codeOf(await fake.fetch('http://rebinding.example/', { guard }))).toBe('URL_REFUSED');
    expect(fake.dialed).toHaveLength(1);
  });

  it('follows at most maxRedirects redirects', async () => {
    const fake = await start((_, response) => response.writeHead(302, { location: '/more' }).end());
    expect(codeOf(await fake.fetch('http://a.example/'))).toBe('TOO_MANY_REDIRECTS');
    expect(fake.requests).toHaveLength(6);
  });

  it('sends no credentials to another origin', async () => {
    const fake = await start((request, response) => {
      if (request.headers.host === 'b.example') response.end('there');
      else response.writeHead(302, { location: request.url === '/' ? '/own' : 'http://b.example/' }).end();
    });
    const headers = { Authorization: 'Bearer a', Cookie: 'b', 'X-Key': 'c', Accept: 'text/html', 'User-Agent': 'haft' };
    const result = await fake.fetch('http://a.example/', { headers });
    expect(result).toMatchObject({
      url: 'http://b.example/',
      redirects: ['http://a.example/', 'http://a.example/own'],
    });
    expect(fake.requests[1]!.headers).toMatchObject({ authorization: 'Bearer a', cookie: 'b', 'x-key': 'c' });
    const { headers: sent } = fake.requests[2]!;
    expect(sent).toMatchObject({ accept: 'text/html', 'user-agent': 'haft' });
    expect(Object.keys(sent).filter((name) => ['authorization', 'cookie', 'x-key'].includes(name))).toEqual([]);
  });

  it('sends a body once: a redirected POST becomes a GET or is refused at another origin', async () => {
    const fake = await start((request, response) => {
      const status = Number(request.url!.slice(1, 4));
      if (status === 200) response.end();
      else response.writeHead(status, { location: request.url!.endsWith('x') ? 'http://b.example/200' : '/200' }).end();
    });
    const post = (path: string): ReturnType<typeof guardedFetch> =>
      fake.fetch(`http://a.example${path}`, {
        method: 'POST',
        body: 'text',
        headers: { 'content-type': 'text/plain' },
      });
    await post('/302');
    expect(fake.requests[1]).toMatchObject({ method: 'GET' });
    expect(fake.requests[1]!.headers).not.toHaveProperty('content-type');
    await post('/307');
    expect(fake.requests[3]).toMatchObject({ method: 'POST', headers: { 'content-length': '4' } });
    expect(codeOf(await post('/307x'))).toBe('URL_REFUSED');
  });

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('decompresses %s', async (encoding, compress) => {
    const fake = await start((_, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(compress(Buffer.from('küche'))),
    );
    expect(textOf(await fake.fetch('http://a.example/'))).toBe('küche');
  });

  it('stops a decompression bomb at the limit with little memory', async () => {
    const bomb = gzipSync(Buffer.alloc(100_000_000));
    const fake = await start((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    const before = process.memoryUsage().rss;
    expect(codeOf(await fake.fetch('http://a.example/', { maxBytes: 1_000_000 }))).toBe('RESPONSE_TOO_LARGE');
    expect(process.memoryUsage().rss - before).toBeLessThan(64_000_000);
  });

  it('stops an endless body, an announced large body and many empty gzip members', async () => {
    const endless = await start((request, response) => {
      const write = (): void => {
        while (response.write(Buffer.alloc(65_536)));
        response.once('drain', write);
      };
      request.on('error', () => {});
      write();
    });
    expect(codeOf(await endless.fetch('http://a.example/', { maxBytes: 1_000_000 }))).toBe('RESPONSE_TOO_LARGE');
    const announced = await start((_, response) =>
      response.writeHead(200, { 'content-length': '2000000' }).flushHeaders(),
    );
    expect(codeOf(await announced.fetch('http://a.example/', { maxBytes: 1_000_000 }))).toBe('RESPONSE_TOO_LARGE');
    const nothing = gzipSync('');
    const nothings = Buffer.alloc(60_000 * nothing.length, nothing);
    const empty = await start((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(nothings);
    });
    expect(codeOf(await empty.fetch('http://a.example/', { maxBytes: 1_000_000 }))).toBe('RESPONSE_TOO_LARGE');
  });

  it('stops waiting for a server that is silent or too slow', async () => {
    const mute = await start(() => {});
    expect(codeOf(await mute.fetch('http://a.example/', { idleTimeoutMs: 100 }))).toBe('FETCH_TIMEOUT');
    const halting = await start((_, response) => void response.writeHead(200).write('a'));
    expect(codeOf(await halting.fetch('http://a.example/', { idleTimeoutMs: 100 }))).toBe('FETCH_TIMEOUT');
    const dripping = await start((_, response) => {
      const timer = setInterval(() => response.write('a'), 20);
      response.on('close', () => clearInterval(timer));
    });
    expect(codeOf(await dripping.fetch('http://a.example/', { idleTimeoutMs: 5_000, timeoutMs: 300 }))).toBe(
      'FETCH_TIMEOUT',
    );
  });

  it('does not mistake a busy process for a silent server', async () => {
    const fake = await start((_, response) => {
      response.end('all of it');
      // Blocks the event loop although data is available.
      const until = performance.now() + 300;
      while (performance.now() < until);
    });
    expect(textOf(await fake.fetch('http://a.example/', { idleTimeoutMs: 200 }))).toBe('all of it');
  });

  it('stops waiting for a resolver that never answers', async () => {
    const fake = await start((_, response) => response.end());
    const guard = createNetworkGuard({ resolve: () => new Promise(() => {}) });
    expect(codeOf(await fake.fetch('http://a.example/', { guard, timeoutMs: 100 }))).toBe('FETCH_TIMEOUT');
  });

  it('can be cancelled at any time', async () => {
    const controller = new AbortController();
    const fake = await start((_, response) => {
      response.writeHead(200).write('a');
      setImmediate(() => controller.abort());
    });
    expect(codeOf(await fake.fetch('http://a.example/', { signal: controller.signal }))).toBe('FETCH_ABORTED');
    expect(codeOf(await fake.fetch('http://a.example/', { signal: controller.signal }))).toBe('FETCH_ABORTED');
    expect(fake.requests).toHaveLength(1);
  });

  it.each([
    ['huge headers', `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}\r\n\r\n`],
    ['a response that is not HTTP', 'hello there\r\n\r\n'],
    ['an invalid length', 'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n'],
    ['less than it announced', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'],
    ['an unknown encoding', 'HTTP/1.1 200 OK\r\ncontent-encoding: constructor\r\n\r\nabc'],
    ['invalid gzip data', 'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\nabc'],
    ['an empty response', ''],
  ])('fails after %s', async (_, answer) => {
    const fake = await start(
      () => {},
      (socket) => {
        socket.on('error', () => {});
        socket.once('data', () => socket.end(answer));
      },
    );
    expect(codeOf(await fake.fetch('http://a.example/'))).toBe('FETCH_FAILED');
  });

  it('does not accept unencrypted responses to https requests', async () => {
    const fake = await start(
      () => {},
      (socket) => {
        socket.on('error', () => {});
        socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\n\r\nhello'));
      },
    );
    expect(codeOf(await fake.fetch('https://a.example/'))).toBe('FETCH_FAILED');
    expect(fake.dialed).toEqual([`${publicAddress}:443`]);
  });

  it('tries the next address if one does not accept the connection', async () => {
    const fake = await start((_, response) => response.end('hello'));
    const guard = createNetworkGuard({ resolve: async () => ['93.184.215.13', publicAddress] });
    const dialed: string[] = [];
    const result = await fake.fetch('http://a.example/', {
      guard,
      dial(address) {
        dialed.push(address);
        return connect({ host: '127.0.0.1', port: address === publicAddress ? fake.port : 1 });
      },
    });
    expect(textOf(result)).toBe('hello');
    expect(dialed).toEqual(['93.184.215.13', publicAddress]);
  });

  it.each([{ Host: 'b.example' }, { 'Transfer-Encoding': 'chunked' }, { 'x-a': 'b\r\nc: d' }, { 'x a': 'b' }])(
    'rejects headers such as %j',
    async (headers) => {
      const fake = await start((_, response) => response.end());
      await expect(
        fake.fetch('http://a.example/', { headers: headers as unknown as Record<string, string> }),
      ).rejects.toThrow(TypeError);
      expect(fake.dialed).toEqual([]);
    },
  );

  it('reads no body after HEAD', async () => {
    const fake = await start((_, response) => response.writeHead(200, { 'content-length': '99999999999' }).end());
    expect(textOf(await fake.fetch('http://a.example/', { method: 'HEAD' }))).toBe('');
  });
});
