import type { IncomingMessage, ServerResponse } from 'node:http';
import { readRequestBody } from '@modelcontextprotocol/server';

/** A request on its way to whoever answers it. */
export interface ReadRequest {
  readonly request: Request;
  /** What its body says, where that is JSON; such a body is not in `request`, which would have to be read again. */
  readonly body: { readonly json: unknown } | undefined;
  /** Where the request came from; empty where that is not known. */
  readonly address: string;
}

/** How requests of `node:http` are answered. */
export interface NodeAnswers {
  /** Looks at a request that was not read yet; answers what is refused. */
  readonly refuse: (request: Request, address: string) => Promise<Response | undefined> | Response | undefined;
  /** Answers a request that was read. */
  readonly answer: (read: ReadRequest) => Promise<Response>;
  /** Whether `request` is to hold the body in any case: somebody besides the protocol may read it. */
  readonly keepsBody: boolean;
  readonly maxBodyBytes: number;
}

/** Makes the listener of a server of `node:http`: nothing of a body is read before its request was looked at. */
export function createNodeListener(
  answers: NodeAnswers,
): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> {
  return async (incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) gone.abort();
    });
    // What stands before this may have taken its time.
    if (outgoing.destroyed) gone.abort();
    const response = await respond(answers, incoming, gone.signal);
    await send(response, outgoing, gone.signal);
  };
}

async function respond(answers: NodeAnswers, incoming: IncomingMessage, signal: AbortSignal): Promise<Response> {
  const { method = 'GET' } = incoming;
  const head = { method, headers: headersOf(incoming), signal };
  const url = urlOf(incoming);
  const bare = readHead(url, head);
  if (!bare) return refusalOf(400, 'this is no request that can be answered');
  const address = incoming.socket?.remoteAddress ?? '';
  const refusal = await answers.refuse(bare, address);
  if (refusal) return refusal;
  if (method === 'GET' || method === 'HEAD') return answers.answer({ request: bare, body: undefined, address });
  const parsed = parsedBefore(incoming);
  if (parsed) return answers.answer({ request: bare, body: parsed, address });
  const text = await readBody(incoming, answers.maxBodyBytes);
  if (text === undefined) return refusalOf(413, `a request may not be larger than ${answers.maxBodyBytes} bytes`);
  const body = readJson(text);
  const isWhole = body !== undefined && !answers.keepsBody;
  return answers.answer({ request: isWhole ? bare : new Request(url, { ...head, body: text }), body, address });
}

/** Reads a request that is whole already; what can't be read, or is too large, is left to whoever answers it. */
export async function readWebRequest(request: Request, maxBytes: number, keepsBody: boolean): Promise<ReadRequest> {
  if (request.method !== 'POST' || request.body === null) return { request, body: undefined, address: '' };
  const copy = request.clone();
  const read = await readRequestBody(keepsBody ? copy : request, maxBytes).catch(() => undefined);
  const body = read && 'text' in read ? readJson(read.text) : undefined;
  if (body !== undefined) return { request, body, address: '' };
  return { request: keepsBody ? request : copy, body, address: '' };
}

/** Nothing for a method or a header that no request can have. */
function readHead(url: string, head: RequestInit): Request | undefined {
  try {
    return new Request(url, head);
  } catch {
    return undefined;
  }
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const named: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    // What begins with a colon belongs to the second version of the protocol.
    if (value !== undefined && !name.startsWith(':'))
      named[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return named;
}

/** The host is what the client says it is, and looked at as such; one that no address can hold is refused all the same. */
function urlOf({ headers, url = '/' }: IncomingMessage): string {
  const asked = `http://${headers.host ?? 'localhost'}${url}`;
  return URL.canParse(asked) ? asked : `http://localhost${url.startsWith('/') ? url : '/'}`;
}

/** What a body parser that stands before this has left, as `express.json()` does. */
function parsedBefore(incoming: IncomingMessage): ReadRequest['body'] {
  const { body } = incoming as { readonly body?: unknown };
  return incoming.readableEnded && body !== undefined ? { json: body } : undefined;
}

/** The whole body, or nothing when it is larger than it may be. */
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
    const onClose = (): void => reject(new Error('the client went away in the middle of its request'));
    incoming.once('close', onClose);
    if (incoming.destroyed) onClose();
  });
  return body?.toString('utf8');
}

function readJson(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function refusalOf(status: number, message: string): Response {
  const error = { code: -32_000, message };
  // What is left of the body would have to be read before the next request.
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status, headers: { connection: 'close' } });
}

async function send(response: Response, outgoing: ServerResponse, gone: AbortSignal): Promise<void> {
  const cookies = response.headers.getSetCookie();
  const headers = Object.fromEntries(response.headers);
  outgoing.writeHead(response.status, cookies.length > 1 ? { ...headers, 'set-cookie': cookies } : headers);
  const reader = response.body?.getReader();
  if (!reader) return void outgoing.end();
  const stop = (): void => void reader.cancel().catch(() => undefined);
  gone.addEventListener('abort', stop, { once: true });
  if (gone.aborted) stop();
  try {
    for (let chunk = await reader.read(); !chunk.done && !gone.aborted; chunk = await reader.read())
      for (let at = 0; at < chunk.value.byteLength && !gone.aborted; at += maxWrite)
        if (!outgoing.write(chunk.value.subarray(at, at + maxWrite))) await drained(outgoing, gone);
    outgoing.end();
    endInTime(outgoing);
  } finally {
    gone.removeEventListener('abort', stop);
  }
}

/** Bytes that are written at once, so that a client that reads slowly is seen to read. */
const maxWrite = 64 * 1024;
/** Milliseconds in which a client has to read something of what was written. */
const stallTimeoutMs = 30_000;

/** A client that does not read the last of its answer loses its connection. */
function endInTime(outgoing: ServerResponse): void {
  if (outgoing.writableFinished || outgoing.destroyed) return;
  const timer = setTimeout(() => outgoing.destroy(), stallTimeoutMs);
  timer.unref();
  outgoing.once('finish', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
}

function drained(outgoing: ServerResponse, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => outgoing.destroy(), stallTimeoutMs);
    timer.unref();
    const end = (): void => {
      clearTimeout(timer);
      outgoing.off('drain', end);
      gone.removeEventListener('abort', end);
      resolve();
    };
    outgoing.once('drain', end);
    gone.addEventListener('abort', end, { once: true });
    if (gone.aborted) end();
  });
}
