import { timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Waits for the browser to return from a login. */
export interface LoopbackCallback {
  /** URL to redirect the browser to. */
  readonly url: string;
  /** Resolves to the callback's parameters when its state matches. Rejects when the signal aborts. */
  wait(state: string, signal: AbortSignal): Promise<URLSearchParams>;
  close(): Promise<void>;
}

const path = '/callback';
const headers = {
  'content-type': 'text/plain; charset=utf-8',
  'content-security-policy': "default-src 'none'",
  'cache-control': 'no-store',
  connection: 'close',
};

/** Listens on the loopback address. Falls back to a free port if `port` is in use. */
export async function createLoopbackCallback(port: number): Promise<LoopbackCallback> {
  let accept: ((params: URLSearchParams) => boolean) | undefined;
  const server = createServer({ requestTimeout: 10_000, maxHeaderSize: 16_384 }, (request, response) => {
    const url = URL.parse(request.url ?? '', 'http://127.0.0.1');
    const isOurs = request.method === 'GET' && url?.pathname === path && isLoopback(request.headers.host);
    if (!isOurs) return void response.writeHead(404, headers).end('not found');
    const isAccepted = accept?.(url.searchParams) ?? false;
    const text = isAccepted ? 'Done. This window can be closed.' : 'This login is no longer open. Start it again.';
    return void response.writeHead(isAccepted ? 200 : 400, headers).end(text);
  });
  const listen = (at: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(at, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  await listen(port).catch((error: unknown) => (port === 0 ? Promise.reject(error as Error) : listen(0)));
  server.unref();
  const { port: bound } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${bound}${path}`,
    wait: (state, signal) =>
      new Promise((resolve, reject) => {
        const abort = (): void => {
          accept = undefined;
          reject(signal.reason as Error);
        };
        if (signal.aborted) return abort();
        signal.addEventListener('abort', abort, { once: true });
        accept = (params) => {
          if (!isSame(params.get('state') ?? '', state)) return false;
          accept = undefined;
          signal.removeEventListener('abort', abort);
          resolve(params);
          return true;
        };
        return undefined;
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function isLoopback(host: string | undefined): boolean {
  return /^(?:127\.0\.0\.1|localhost):\d+$/.test(host ?? '');
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
