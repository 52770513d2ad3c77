import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { guardedFetch, type GuardedFetchOptions } from '../network/guarded-fetch.ts';
import { createNetworkGuard } from '../network/network-guard.ts';
import { createVectorWorkspace, environments, runJailed, skip } from '../fixtures/vector-workspace.ts';

const publicAddress = '93.184.216.34';

/** Starts a server on loopback that represents the whole network: every connection leads to it. */
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<Server> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return server;
}

function fetchFrom(server: Server, url: string, options: Partial<GuardedFetchOptions> = {}, dialed: string[] = []) {
  const { port } = server.address() as AddressInfo;
  return guardedFetch(url, {
    guard: createNetworkGuard({ resolve: () => Promise.resolve([publicAddress]) }),
    dial(address) {
      dialed.push(address);
      return connect(port, '127.0.0.1');
    },
    ...options,
  });
}

async function codeOf(url: string, answers: readonly string[] = [publicAddress]): Promise<string> {
  const result = await createNetworkGuard({ resolve: () => Promise.resolve(answers) }).check(url);
  return result.ok ? 'ok' : result.code;
}

describe('network vectors without the jail', () => {
  it.each(['169.254.169.254', '100.100.100.200', '[fd00:ec2::254]', '168.63.129.16', 'metadata.google.internal'])(
    'vector 59: the metadata service %s is refused',
    async (host) => {
      expect(await codeOf(`http://${host}/latest/meta-data`)).toBe('URL_REFUSED');
    },
  );

  it.each(
    '127.0.0.1 127.255.0.1 0.0.0.0 [::1] [::] 10.0.0.1 172.16.0.1 192.168.1.1 100.64.0.1 198.18.0.1 169.254.0.1 224.0.0.1 255.255.255.255 [fe80::1] [fc00::1] [ff02::1] localhost a.localhost'.split(
      ' ',
    ),
  )('vector 60: the non-public address %s is refused', async (host) => {
    expect(await codeOf(`http://${host}/`)).toBe('URL_REFUSED');
  });

  it.each([
    'http://2130706433/',
    'http://0177.0.0.1/',
    'http://0x7f.1/',
    'http://127.1/',
    'http://①②⑦.⓪.⓪.①/',
    String.raw`http:\\127.0.0.1/`,
    'http://127.0.0.1./',
    'http://localhost./',
    'http://[::ffff:7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://user@example.com/',
    'http://example.com@127.0.0.1/',
    'http://127.0.0.1#@example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
  ])('vector 61: the alternative spelling %s is refused', async (url) => {
    expect(await codeOf(url)).toBe('URL_REFUSED');
  });

  it('vector 62: a name with changing or mixed addresses is checked once', async () => {
    expect(await codeOf('http://rebinds.example/', [publicAddress, '127.0.0.1'])).toBe('URL_REFUSED');
    let asked = 0;
    const guard = createNetworkGuard({
      resolve: () => Promise.resolve([(asked += 1) === 1 ? publicAddress : '127.0.0.1']),
    });
    const dialed: string[] = [];
    const server = await serve((_request, response) => response.end('page'));
    const result = await fetchFrom(server, 'http://rebinds.example/', { guard }, dialed);
    expect([result.ok, asked, dialed]).toEqual([true, 1, [publicAddress]]);
  });

  it('vector 63: redirects to refused URLs and loops fail, and credentials stay with their origin', async () => {
    const seen: (string | undefined)[] = [];
    const server = await serve((request, response) => {
      seen.push(request.headers.authorization);
      const to: Record<string, string> = {
        '/inner': 'http://127.0.0.1/',
        '/scheme': 'file:///etc/passwd',
        '/loop': '/loop',
        '/other': 'http://other.example/end',
      };
      const location = to[request.url ?? ''];
      response.writeHead(location === undefined ? 200 : 302, location === undefined ? {} : { location }).end();
    });
    const headers = { authorization: 'Bearer s3cret' };
    for (const path of ['inner', 'scheme'])
      expect(await fetchFrom(server, `http://a.example/${path}`, { headers })).toMatchObject({ code: 'URL_REFUSED' });
    expect(await fetchFrom(server, 'http://a.example/loop')).toMatchObject({ code: 'TOO_MANY_REDIRECTS' });
    seen.length = 0;
    expect(await fetchFrom(server, 'http://a.example/other', { headers })).toMatchObject({ ok: true });
    expect(seen).toEqual(['Bearer s3cret', undefined]);
  });

  it('vector 64: decompression bombs, endless bodies and slow servers fail', async () => {
    const server = await serve((request, response) => {
      if (request.url === '/bomb') {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000)));
      } else if (request.url === '/endless') {
        const write = (): void => {
          if (!response.destroyed) response.write('x'.repeat(65_536), () => setImmediate(write));
        };
        write();
      } else if (request.url === '/slow') response.write('a');
    });
    const limits = { maxBytes: 1_000_000 };
    for (const path of ['bomb', 'endless'])
      expect(await fetchFrom(server, `http://a.example/${path}`, limits)).toMatchObject({ code: 'RESPONSE_TOO_LARGE' });
    expect(await fetchFrom(server, 'http://a.example/slow', { idleTimeoutMs: 200 })).toMatchObject({
      code: 'FETCH_TIMEOUT',
    });
    for (const host of ['a%00.example', 'a%0d.example']) expect(await codeOf(`http://${host}/`)).toBe('URL_REFUSED');
  });
});

describe('network vectors with the jail', () => {
  it('vectors 59 to 64: a jailed command reaches no network', async () => {
    if (environments.length === 1) return skip(59, 'there is no jail on this machine');
    const server = await serve((_request, response) => response.end('inside'));
    const { port } = server.address() as AddressInfo;
    const hosts = ['127.0.0.1', '169.254.169.254', '10.0.0.1', '[::1]', 'localhost'];
    const code = `Promise.all(${JSON.stringify(hosts)}.map((host) => fetch('http://' + host + ':${port}/', { signal: AbortSignal.timeout(3000) }).then(() => console.log('reached', host), () => {}))).then(() => console.log('over'))`;
    const result = await runJailed(createVectorWorkspace().root, `'${process.execPath}' -e "$1"`, { args: [code] });
    expect(result.output.text).toBe('over\n');
  });
});
