import type { ServeOptions, ListenOptions } from './options/serve-options.ts';
import { createServer } from 'node:http';
import { serveStdio as serveProtocol } from '@modelcontextprotocol/server/stdio';
import { checkServeOptions } from './options/check-serve-options.ts';
import { openHttpHandler } from './http/http-handler.ts';
import { type HttpHandlerOptions } from './options/http-handler-options.ts';
import { McpError } from '../mcp-error.ts';
import { createRunningRequests } from './running-requests.ts';
import { reserveStandardOutput } from '../stdio/protocol-output.ts';
import { createServedSource, type ServableSource } from './served/served-source.ts';
import { createStreamTransport } from '../stdio/stream-transport.ts';
import { observeClose } from './observe-close.ts';

/** A server that is running. */
export interface RunningServer {
  /** Where it listens, once it does; undefined over streams. Rejects when it can't: the address is in use. */
  readonly ready: Promise<{ readonly url: string | undefined }>;
  /** Resolves when the client has gone or `close` was called. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/**
 * Serves tools to one MCP client over standard input and output, or to any number over HTTP, in whichever generation of the
 * protocol each client speaks. The list is live; every call takes the road of `dispatch`, permission included; calls that
 * touch the same wait for one another in the order in which they came, whichever requests they came with; a call that the
 * client cancels is cancelled here, also while it waits. The program goes on when the client has gone: await `closed` and
 * end it.
 *
 * @throws HaftError `INVALID_OPTION` when `maxParallel` is no whole number above 0. McpError `INVALID_OPTION` for an option that there is
 *   not, or of another kind, for a source that is none, and for a port, host or path that can't be one, or stands outside of `http`.
 */
export function serve(source: ServableSource, options: ServeOptions = {}): RunningServer {
  checkServeOptions(source, options);
  return options.http ? listen(source, { ...options, ...options.http }, options.http) : serveStreams(source, options);
}

function serveStreams(source: ServableSource, options: ServeOptions): RunningServer {
  const { onError } = options;
  const served = createServedSource(source, options);
  const guard = options.transport || options.output ? undefined : reserveStandardOutput();
  const { input = process.stdin, output = guard?.stream ?? process.stdout } = options;
  const streams =
    options.transport ?? createStreamTransport(input, output, options.maxMessageBytes ?? 64 * 1024 * 1024);
  const { transport, closed } = observeClose(streams);
  const unsubscribes = [
    served.onChange(() => served.notifyToolsChanged()),
    served.onLibraryChange((change) => served.notifyLibraryChange(change)),
  ];
  const ended = closed.then(() => {
    for (const stop of unsubscribes) stop();
    served.close();
    return guard?.release();
  });
  const handle = serveProtocol(() => served.createServer(), { transport, ...(onError ? { onerror: onError } : {}) });
  return {
    ready: Promise.resolve({ url: undefined }),
    closed: ended,
    async close() {
      await handle.close();
      await transport.close().catch(() => undefined);
      await ended;
    },
  };
}

/** What a timer of Node can wait at most; what is more it would not wait for at all. */
const maxTimerMs = 2 ** 31 - 1;

/** A port in quotes is a pipe for Node, which would listen on it without a word. */
function checkPlace({
  port,
  host,
  path,
  drainTimeoutMs,
}: Readonly<Record<'port' | 'host' | 'path' | 'drainTimeoutMs', unknown>>): void {
  const refuse = (what: string, given: unknown): never => {
    throw new McpError('INVALID_OPTION', `${what}, not ${JSON.stringify(given)?.slice(0, 60)}`);
  };
  if (!(Number.isInteger(port) && (port as number) >= 0 && (port as number) <= 65_535))
    refuse('http.port must be a whole number from 0 (any free port) to 65535', port);
  if (typeof host !== 'string' || host === '')
    refuse('http.host must be a name or an address such as "127.0.0.1"', host);
  if (typeof path !== 'string' || !path.startsWith('/'))
    refuse('http.path must begin with a slash, such as "/mcp"', path);
  if (!(typeof drainTimeoutMs === 'number' && drainTimeoutMs >= 0 && drainTimeoutMs <= maxTimerMs))
    refuse(`http.drainTimeoutMs must be a number from 0 to ${maxTimerMs}`, String(drainTimeoutMs));
}

/** Node looks for requests that are late only so often. */
const timeLimits = { requestTimeout: 30_000, headersTimeout: 10_000, connectionsCheckingInterval: 2_000 } as const;
/** Connections at once, streams included. */
const maxConnections = 2_000;

const loopback: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost']);

function listen(source: ServableSource, options: HttpHandlerOptions, where: ListenOptions): RunningServer {
  const { port = 0, host = '127.0.0.1', path = '/mcp', drainTimeoutMs = 1_000 } = where;
  checkPlace({ port, host, path, drainTimeoutMs });
  if (!loopback.has(host) && options.hosts === undefined)
    throw new McpError(
      'INVALID_OPTION',
      `a server that listens on ${host} needs to know by which names it may be asked for: hosts: ["tools.example.com"]`,
    );
  const handler = openHttpHandler(source, options);
  const running = createRunningRequests();
  const server = createServer(timeLimits, (request, response) => {
    if (request.url?.split('?')[0] === path) {
      running.add(request, response);
      return handler.listener(request, response);
    }
    response.writeHead(404, { 'content-type': 'text/plain' }).end(`the tools are at ${path}`);
  });
  server.maxConnections = maxConnections;
  const closed = new Promise<void>((resolve) => server.once('close', resolve));
  const ready = new Promise<{ readonly url: string }>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address ? address.port : port;
      resolve({ url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}${path}` });
    });
  });
  // Whoever awaits it hears of it; nobody else is taken down by it.
  ready.catch((error: unknown) => options.onError?.(error as Error));
  return {
    ready,
    closed,
    async close() {
      // One that was asked for a moment ago would begin to listen after it was closed.
      await ready.catch(() => undefined);
      const isOpen = server.listening;
      if (isOpen) {
        server.close();
        // Whoever has a connection to spare opens another elsewhere; what is under way is answered.
        server.closeIdleConnections();
        await running.end(drainTimeoutMs);
      }
      await handler.close();
      if (!isOpen) return;
      server.closeAllConnections();
      await closed;
    },
  };
}
