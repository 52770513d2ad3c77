import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { readRequestBody } from '@modelcontextprotocol/server';
import type { DirectCalls } from '../plain-calls/plain-http-calls.ts';
import type { PlainResponse } from '../plain-calls/late-plain-stream.ts';

/** A request that has been read. */
export interface ReadRequest {
  readonly request: Request;
  /** Parsed JSON body. If present, `request` has no body. */
  readonly body: { readonly json: unknown } | undefined;
  /**
   * Refuses a message that can't be parsed. Another parser may read it differently, and its calls would bypass the
   * checks.
   */
  readonly refusal?: Response;
  /** Sender of the request; empty if unknown. */
  readonly address: string;
}

/** Handlers for requests of `node:http`. */
export interface NodeAnswers {
  /** Checks a request before its body is read. Returns a response to refuse it. */
  readonly refuse: (request: Request, address: string) => Promise<Response | undefined> | Response | undefined;
  /** Responds to a request that has been read. */
  readonly answer: (read: ReadRequest) => Promise<Response>;
  /** Answers requests that need no `Request`. */
  readonly direct?: DirectAnswers | undefined;
  /** Whether `request` always includes the body, because `authenticate` may read it. */
  readonly keepsBody: boolean;
  readonly maxBodyBytes: number;
}

/** Handlers for requests that can be answered from headers and a parsed body. */
export interface DirectAnswers {
  /** Whether `answer` may be able to answer a request. `refuse` would not refuse it. */
  readonly accepts: (headers: IncomingHttpHeaders) => boolean;
  /** Refuses a request before its body is read, and counts it. */
  readonly refuse: (address: string) => Response | undefined;
  /** Answers a request, or returns undefined if it needs a `Request`. */
  readonly answer: DirectCalls['answer'];
}

/** Creates a listener for `node:http`. A request is checked before its body is read. */
export function createNodeListener(
  answers: NodeAnswers,
): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> {
  return async (incoming, outgoing) => {
    const disconnected = new AbortController();
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) disconnected.abort();
    });
    // The client may have disconnected during earlier middleware.
    if (outgoing.destroyed) disconnected.abort();
    const response = await respond(answers, incoming, disconnected.signal);
    if (!('mediaType' in response)) await send(response, outgoing, disconnected.signal);
    else if (response.text.length <= maxWrite) sendText(response, outgoing);
    else await send(toResponse(response), outgoing, disconnected.signal);
  };
}

async function respond(
  answers: NodeAnswers,
  incoming: IncomingMessage,
  signal: AbortSignal,
): Promise<Response | PlainResponse> {
  const { method = 'GET', headers } = incoming;
  const address = incoming.socket?.remoteAddress ?? '';
  const direct = method === 'POST' && answers.direct?.accepts(headers) === true ? answers.direct : undefined;
  const requestHead = direct ? undefined : readHead(incoming, signal);
  if (!direct && !requestHead) return refusalOf(400, 'invalid request');
  const refusal = direct ? direct.refuse(address) : await answers.refuse(requestHead!, address);
  if (refusal) return refusal;
  if (requestHead && (method === 'GET' || method === 'HEAD'))
    return answers.answer({ request: requestHead, body: undefined, address });
  const parsed = readParsedBody(incoming);
  const text = parsed ? '' : await readBody(incoming, answers.maxBodyBytes);
  if (text === undefined) return tooLarge(answers.maxBodyBytes);
  const body = parsed ?? readJson(text);
  const answer = body && direct?.answer(headers, body.json, address, signal);
  if (answer) return answer;
  const isParsed = parsed !== undefined || (body !== undefined && !answers.keepsBody);
  const request = isParsed ? (requestHead ?? readHead(incoming, signal)) : readHead(incoming, signal, text);
  if (!request) return refusalOf(400, 'invalid request');
  const isUnreadable = method === 'POST' && body === undefined;
  return answers.answer({ request, body, address, ...(isUnreadable ? { refusal: unreadable() } : {}) });
}

/** Reads the body of a web request. */
export async function readWebRequest(request: Request, maxBytes: number, keepsBody: boolean): Promise<ReadRequest> {
  if (request.method !== 'POST' || request.body === null) return { request, body: undefined, address: '' };
  const copy = keepsBody ? request.clone() : request;
  const read = await readRequestBody(copy, maxBytes).catch(() => undefined);
  const body = read && 'text' in read ? readJson(read.text) : undefined;
  if (body !== undefined) return { request, body, address: '' };
  const refusal = read?.tooLarge === true ? tooLarge(maxBytes) : unreadable();
  return { request, body, address: '', refusal };
}

/** Returns undefined for an invalid method or header. */
function readHead(incoming: IncomingMessage, signal: AbortSignal, body?: string): Request | undefined {
  const { method = 'GET' } = incoming;
  try {
    const head = { method, headers: headersOf(incoming), signal };
    return new Request(urlOf(incoming), body === undefined ? head : { ...head, body });
  } catch {
    return undefined;
  }
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const named: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    // HTTP/2 pseudo-headers.
    if (value !== undefined && !name.startsWith(':'))
      named[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return named;
}

/**
 * Builds the URL from the client's Host header, which is checked later. An invalid host is replaced, and still refused.
 */
function urlOf({ headers, url = '/' }: IncomingMessage): string {
  const requestUrl = `http://${headers.host ?? 'localhost'}${url}`;
  return URL.canParse(requestUrl) ? requestUrl : `http://localhost${url.startsWith('/') ? url : '/'}`;
}

/** Returns the body parsed by earlier middleware such as `express.json()`. */
function readParsedBody(incoming: IncomingMessage): ReadRequest['body'] {
  const { body } = incoming as { readonly body?: unknown };
  return incoming.readableEnded && body !== undefined ? { json: body } : undefined;
}

/** Reads the whole body. Returns undefined if it exceeds the limit. */
async function readBody(incoming: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  if (Number(incoming.headers['content-length']) > maxBytes) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  const body = await new Promise<Buffer | undefined>((resolve, reject) => {
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.byteLength;
      if (bytes <= maxBytes) chunks.push(chunk);
      else {
        incoming.removeAllListeners('data').pause();
        resolve(undefined);
      }
    });
    incoming.once('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    incoming.once('error', reject);
    const onClose = (): void => reject(new Error('the client disconnected during its request'));
    incoming.once('close', onClose);
    if (incoming.destroyed) onClose();
  });
  return body?.toString('utf8');
}

function readJson(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text) };
  } catch {
    return undefined;
  }
}

function refusalOf(status: number, message: string): Response {
  const error = { code: -32_000, message };
  // Closes the connection, because the unread body would precede the next request.
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status, headers: { connection: 'close' } });
}

function tooLarge(maxBytes: number): Response {
  return refusalOf(413, `the request exceeds the limit of ${maxBytes} bytes`);
}

function unreadable(): Response {
  const error = { code: -32_700, message: 'Parse error: the body is not JSON' };
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 400 });
}

function toResponse({ mediaType, text }: PlainResponse): Response {
  return new Response(text, { headers: { 'content-type': mediaType } });
}

/** Sends a short response in one write. */
function sendText({ mediaType, text }: PlainResponse, outgoing: ServerResponse): void {
  outgoing.writeHead(200, { 'content-type': mediaType, 'content-length': Buffer.byteLength(text) });
  outgoing.end(text);
  limitEnd(outgoing);
}

async function send(response: Response, outgoing: ServerResponse, disconnected: AbortSignal): Promise<void> {
  const cookies = response.headers.getSetCookie();
  const headers = Object.fromEntries(response.headers);
  outgoing.writeHead(response.status, cookies.length > 1 ? { ...headers, 'set-cookie': cookies } : headers);
  const reader = response.body?.getReader();
  if (!reader) return void outgoing.end();
  const stop = (): void => void reader.cancel().catch(() => undefined);
  disconnected.addEventListener('abort', stop, { once: true });
  if (disconnected.aborted) stop();
  // A client waits for the head of a stream, whose first event may come much later.
  const waiting = setImmediate(() => outgoing.flushHeaders());
  try {
    for (let chunk = await reader.read(); !chunk.done && !disconnected.aborted; chunk = await reader.read())
      for (let at = 0; at < chunk.value.byteLength && !disconnected.aborted; at += maxWrite)
        if (!outgoing.write(chunk.value.subarray(at, at + maxWrite))) await drained(outgoing, disconnected);
    outgoing.end();
    limitEnd(outgoing);
  } finally {
    clearImmediate(waiting);
    disconnected.removeEventListener('abort', stop);
  }
}

/** Bytes per write. With small writes, a slow client can be distinguished from one that has stopped. */
const maxWrite = 64 * 1024;
/** Milliseconds without any read after which the connection is closed. */
const stallTimeoutMs = 30_000;

/** Closes the connection of a client that does not read the end of its response. */
function limitEnd(outgoing: ServerResponse): void {
  if (outgoing.writableFinished || outgoing.destroyed) return;
  const timer = setTimeout(() => outgoing.destroy(), stallTimeoutMs);
  timer.unref();
  outgoing.once('finish', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
}

function drained(outgoing: ServerResponse, disconnected: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => outgoing.destroy(), stallTimeoutMs);
    timer.unref();
    const end = (): void => {
      clearTimeout(timer);
      outgoing.off('drain', end);
      disconnected.removeEventListener('abort', end);
      resolve();
    };
    outgoing.once('drain', end);
    disconnected.addEventListener('abort', end, { once: true });
    if (disconnected.aborted) end();
  });
}
