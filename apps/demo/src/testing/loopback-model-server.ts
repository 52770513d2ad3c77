import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One response of the server. */
export interface LoopbackReply {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: string }[];
  readonly finishReason?: string;
  /** Responds with this status and an error body instead. */
  readonly status?: number;
  /** Responds with this page instead, like a server that is not a model. */
  readonly page?: string;
  /** Sends the text, then nothing more until the client leaves. */
  readonly hangs?: boolean;
  /** Sends the text, then breaks the connection. */
  readonly breaks?: boolean;
}

/** A loopback server with the OpenAI-compatible streaming format, for tests of `chat`. */
export interface LoopbackModelServer {
  readonly baseUrl: string;
  /** Bodies of the requests so far. */
  readonly requests: readonly Readonly<Record<string, unknown>>[];
  /** `authorization` headers of the requests so far. */
  readonly keys: readonly (string | undefined)[];
  /** Resolves when a client has left a hanging response. */
  readonly abandoned: Promise<void>;
  close(): Promise<void>;
}

/** Starts a server that gives the n-th request the n-th response, in arbitrary chunks. */
export async function startLoopbackModelServer(replies: readonly LoopbackReply[]): Promise<LoopbackModelServer> {
  const requests: Readonly<Record<string, unknown>>[] = [];
  const keys: (string | undefined)[] = [];
  let abandon = (): void => {};
  const abandoned = new Promise<void>((resolve) => {
    abandon = resolve;
  });

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'POST') return void response.writeHead(404).end();
    const reply = replies[requests.length];
    requests.push(JSON.parse(await readBody(request)) as Readonly<Record<string, unknown>>);
    keys.push(request.headers.authorization);
    if (!reply) return void response.writeHead(500).end('{"error":{"message":"no reply is left"}}');
    if (reply.status !== undefined) {
      response.writeHead(reply.status, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify({ error: { message: `status ${reply.status} for a test` } }));
    }
    if (reply.page !== undefined) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      return void response.end(reply.page);
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const bytes = Buffer.from(
      chunksOf(reply)
        .map((chunk) => `data: ${chunk}\n\n`)
        .join(''),
    );
    for (let at = 0; at < bytes.length; at += 37) {
      response.write(bytes.subarray(at, at + 37));
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (reply.hangs) response.once('close', abandon);
    else if (reply.breaks) response.destroy();
    else response.end();
  };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    keys,
    abandoned,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function chunksOf(reply: LoopbackReply): readonly string[] {
  const { text = '', calls = [], hangs, breaks } = reply;
  const delta = (change: object, finish: string | null = null): string =>
    JSON.stringify({
      id: 'loopback',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'loopback',
      choices: [{ index: 0, delta: change, finish_reason: finish }],
    });
  const words = text.match(/\S+\s*|\s+/g) ?? [];
  const chunks = [delta({ role: 'assistant', content: '' }), ...words.map((content) => delta({ content }))];
  if (hangs || breaks) return chunks;
  calls.forEach((call, index) => {
    const { name, arguments: whole } = call;
    chunks.push(
      delta({ tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name, arguments: '' } }] }),
    );
    for (let at = 0; at < whole.length; at += 5) {
      chunks.push(delta({ tool_calls: [{ index, function: { arguments: whole.slice(at, at + 5) } }] }));
    }
  });
  return [...chunks, delta({}, reply.finishReason ?? (calls.length > 0 ? 'tool_calls' : 'stop')), '[DONE]'];
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}
