import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { WorkbenchError } from '../workbench-error.ts';
import type { Workbench } from './create-workbench.ts';

/** Answers a request of Node's `http` and of frameworks that use its requests, such as Express. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Creates a handler for Node's `http` and for Express. Mount it before middleware that reads bodies, such as
 * `express.json()`.
 */
export function createNodeHandler(workbench: Workbench): NodeHandler {
  return (request, response) => {
    answer(workbench, request, response).catch((cause: unknown) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' }).end(`${messageOf(cause)}\n`);
    });
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
  return new Request(new URL(urlOf(request), `http://${host}`), {
    method,
    headers,
    signal,
    ...(hasBody ? { body: Readable.toWeb(request) as ReadableStream<Uint8Array>, duplex: 'half' } : {}),
  });
}

function messageOf(cause: unknown): string {
  return cause instanceof WorkbenchError ? cause.message : 'the workbench failed to answer';
}

/** Express removes the path at which a handler is mounted from `url`. */
function urlOf(request: IncomingMessage & { readonly originalUrl?: string }): string {
  const url = request.originalUrl ?? request.url ?? '/';
  // A URL that begins with two slashes would name another host.
  return url.replace(/^\/\/+/, '/');
}
