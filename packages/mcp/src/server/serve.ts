import type { ServeOptions, ListenOptions } from './options/serve-options.ts';
import { createServer } from 'node:http';
import type { Server } from '@modelcontextprotocol/server';
import { serveStdio as serveProtocol } from '@modelcontextprotocol/server/stdio';
import { checkServeOptions } from './options/check-serve-options.ts';
import { createCheckedHttpHandler } from './http/http-handler.ts';
import { isMetadataPath } from './http/authorization.ts';
import { type HttpHandlerOptions } from './options/http-handler-options.ts';
import { McpError } from '../mcp-error.ts';
import { createRunningRequests } from './running-requests.ts';
import { reserveStandardOutput } from '../stdio/protocol-output.ts';
import type { ServableSource } from './options/server-options.ts';
import { createServedSource } from './served/served-source.ts';
import { createStreamTransport } from '../stdio/stream-transport.ts';
import { answerDirectly } from './plain-calls/plain-call-stream.ts';
import { observeClose } from './observe-transport-close.ts';

/** A running server. */
export interface RunningServer {
  /**
   * Resolves to the server's URL once it listens; undefined over streams. Rejects with
   * McpError `INVALID_OPTION` if listening fails, for example because the port is in use.
   */
  readonly ready: Promise<{ readonly url: string | undefined }>;
  /** Resolves when the client has disconnected or `close` was called. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/**
 * Serves tools to one MCP client over standard input and output, or to many over HTTP, in either protocol era. The list
 * of tools is live. Every call goes through `dispatch`, including the permission check. Conflicting calls run in order
 * of arrival, across requests. A cancellation by the client also ends a call that waits. The program keeps running when
 * the client disconnects: await `closed` and exit.
 *
 * @throws HaftError `INVALID_OPTION` when `maxParallel` is not a positive integer. McpError `INVALID_OPTION` for an
 * unknown option, an option of the wrong type, an invalid source, port, host or path, and an HTTP option outside of
 * `http`.
 * @example
 * import { createDispatcher, defineTool } from '@haft/core';
 * import { createConnection, serve } from '@haft/mcp';
 * const ping = defineTool({ name: 'ping', description: 'Answers.', kind: 'read', execute: () => 'pong' });
 * const server = serve(createDispatcher({ registry: [ping] }), { name: 'pinger', version: '1.0.0', http: {} });
 * const { url = '' } = await server.ready; // http://127.0.0.1:…/mcp
 *
 * const connection = await createConnection({ url });
 * connection.tools.map(({ name }) => name); // => ['pinger_ping']
 * await connection.close();
 * await server.close();
 */
export function serve(source: ServableSource, options: ServeOptions = {}): RunningServer {
  checkServeOptions(source, options);
  return options.http ? listen(source, { ...options, ...options.http }, options.http) : serveStreams(source, options);
}

function serveStreams(source: ServableSource, options: ServeOptions): RunningServer {
  const { onWarning } = options;
  const served = createServedSource(source, options);
  const guard = options.transport || options.output ? undefined : reserveStandardOutput();
  const { input = process.stdin, output = guard?.stream ?? process.stdout } = options;
  const streams =
    options.transport ?? createStreamTransport(input, output, options.maxMessageBytes ?? 64 * 1024 * 1024);
  const { transport: observed, closed } = observeClose(streams);
  const direct = answerDirectly(observed, served, (error) => onWarning?.(error));
  const { transport } = direct;
  const unsubscribes = [
    served.onChange(() => served.notifyToolsChanged()),
    served.onLibraryChange((change) => served.notifyLibraryChange(change)),
  ];
  const ended = closed.then(() => {
    for (const stop of unsubscribes) stop();
    direct.close();
    served.close();
    return guard?.release();
  });
  const create = ({ era }: { readonly era: 'legacy' | 'modern' }): Server => {
    const server = served.createServer({ isLegacy: era === 'legacy' });
    direct.use(server, era === 'modern');
    return server;
  };
  const handle = serveProtocol(create, { transport, ...(onWarning ? { onerror: onWarning } : {}) });
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

/** Interval at which Node looks for late requests. */
const timeLimits = { requestTimeout: 30_000, headersTimeout: 10_000, connectionsCheckingInterval: 2_000 } as const;
/** Maximum number of open connections, streams included. */
const maxConnections = 2_000;

const loopback: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost']);

function describeListenError(cause: NodeJS.ErrnoException, host: string, port: number): McpError {
  const reason = cause.code === 'EADDRINUSE' ? 'it is in use (choose another, or 0 for any free port)' : cause.message;
  return new McpError('INVALID_OPTION', `http.port: can't listen on port ${port} of ${host}: ${reason}`, { cause });
}

function listen(source: ServableSource, options: HttpHandlerOptions, where: ListenOptions): RunningServer {
  const { port = 0, host = '127.0.0.1', path = '/mcp', drainTimeoutMs = 1_000 } = where;
  if (!loopback.has(host) && options.hosts === undefined)
    throw new McpError(
      'INVALID_OPTION',
      `http.hosts: required when listening on ${host}, such as hosts: ["tools.example.com"]`,
    );
  const handler = createCheckedHttpHandler(source, options);
  const running = createRunningRequests();
  const server = createServer(timeLimits, (request, response) => {
    const asked = request.url?.split('?')[0] ?? '';
    if (asked === path || (where.authorization && isMetadataPath(asked))) {
      running.add(request, response);
      return handler.listener(request, response);
    }
    response.writeHead(404, { 'content-type': 'text/plain' }).end(`the tools are at ${path}`);
  });
  server.maxConnections = maxConnections;
  const closed = new Promise<void>((resolve) => server.once('close', resolve));
  const ready = new Promise<{ readonly url: string }>((resolve, reject) => {
    server.once('error', (cause) => reject(describeListenError(cause, host, port)));
    server.listen(port, host, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address ? address.port : port;
      resolve({ url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}${path}` });
    });
  });
  // Prevents an unhandled rejection if the program does not await `ready`.
  ready.catch((error: unknown) => options.onWarning?.(error as Error));
  return {
    ready,
    closed,
    async close() {
      // Otherwise a pending listen() would start listening after close().
      await ready.catch(() => undefined);
      const isOpen = server.listening;
      if (isOpen) {
        server.close();
        // Close idle connections now; running requests may finish.
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
