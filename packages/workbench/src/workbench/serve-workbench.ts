import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { checkOptions, integerKind, nonEmptyStringKind, type OptionTable } from '@haft/core/options';
import { WorkbenchError } from '../workbench-error.ts';
import type { Workbench } from './create-workbench.ts';

/** Options of {@link serveWorkbench}. */
export interface ServeWorkbenchOptions {
  /** Port; default any free port. */
  readonly port?: number;
  /** Address to listen on; default `127.0.0.1`. Other addresses admit other machines that have the token. */
  readonly host?: string;
}

/** A workbench that is served. */
export interface ServedWorkbench {
  /** URL to open. Its fragment holds the token, so do not share it. */
  readonly url: string;
  /** Stops serving, and closes the workbench. */
  close(): Promise<void>;
}

const table: OptionTable<ServeWorkbenchOptions> = {
  port: integerKind({ min: 0, max: 65_535 }),
  host: nonEmptyStringKind,
};

/**
 * Serves a workbench over HTTP on this machine.
 *
 * @throws HaftError `INVALID_OPTION`; WorkbenchError `PORT_UNAVAILABLE`.
 */
export async function serveWorkbench(
  workbench: Workbench,
  options: ServeWorkbenchOptions = {},
): Promise<ServedWorkbench> {
  checkOptions('serveWorkbench', options, table, '{ port: 4000 }');
  const { port = 0, host = '127.0.0.1' } = options;
  const server = createServer((request, response) => {
    answer(workbench, request, response).catch((cause: unknown) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' }).end(`${messageOf(cause)}\n`);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const reason = cause.code === 'EADDRINUSE' ? 'it is in use' : cause.message;
      reject(new WorkbenchError('PORT_UNAVAILABLE', `port ${port}: ${reason}`, { cause }));
    });
    server.listen(port, host, resolve);
  });
  const bound = server.address() as AddressInfo;
  const name = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
  return {
    url: `http://${name}:${bound.port}/#token=${workbench.token}`,
    async close() {
      workbench.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

async function answer(workbench: Workbench, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const ended = new AbortController();
  response.once('close', () => ended.abort());
  const { status, headers, body } = await workbench.fetch(toRequest(request, ended.signal));
  response.writeHead(status, Object.fromEntries(headers));
  if (body === null || request.method === 'HEAD') {
    response.end();
    return;
  }
  // If the page disconnects, the pipeline ends and cancels the body.
  await pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), response).catch(() => undefined);
}

function toRequest(request: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  const host = /^[\w.:[\]-]+$/.test(request.headers.host ?? '') ? request.headers.host : 'unknown';
  const method = request.method ?? 'GET';
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(new URL(request.url ?? '/', `http://${host}`), {
    method,
    headers,
    signal,
    ...(hasBody ? { body: Readable.toWeb(request) as ReadableStream<Uint8Array>, duplex: 'half' } : {}),
  });
}

function messageOf(cause: unknown): string {
  return cause instanceof WorkbenchError ? cause.message : 'the workbench failed to answer';
}
