import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** The first answer of the model. Every later answer is `Done.`. */
export interface ScriptedAnswer {
  readonly text?: string;
  readonly call?: { readonly name: string; readonly arguments: string };
  readonly finishReason: 'stop' | 'tool_calls' | 'length';
}

/** The members of a request's message that the comparison reads. */
export interface WireMessage {
  readonly role: string;
  readonly content?: unknown;
}

/** A request that the server received. */
export interface WireRequest {
  readonly messages: readonly WireMessage[];
  readonly stream?: boolean;
}

/** A server that speaks the chat API of OpenAI on a free loopback port, with and without streaming. */
export interface ScriptedServer {
  readonly baseURL: string;
  readonly requests: readonly WireRequest[];
  close(): Promise<void>;
}

const common = { id: 'chatcmpl-1', created: 1, model: 'scripted' };
const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

/** Starts a server that plays one answer. */
export async function startScriptedServer(first: ScriptedAnswer): Promise<ScriptedServer> {
  const requests: WireRequest[] = [];
  const server = createServer((request, response) => {
    void answerRequest(request, response);
  });
  const answerRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const received = (await json(request)) as WireRequest;
    requests.push(received);
    const answer: ScriptedAnswer = requests.length === 1 ? first : { text: 'Done.', finishReason: 'stop' };
    if (received.stream === true) sendStream(response, answer);
    else sendWhole(response, answer);
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function sendWhole(response: ServerResponse, { text, call, finishReason }: ScriptedAnswer): void {
  const message = {
    role: 'assistant',
    content: text ?? null,
    ...(call && { tool_calls: [{ id: 'call_1', type: 'function', function: call }] }),
  };
  response.writeHead(200, { 'content-type': 'application/json' });
  const choices = [{ index: 0, message, finish_reason: finishReason }];
  response.end(JSON.stringify({ ...common, object: 'chat.completion', choices, usage }));
}

function sendStream(response: ServerResponse, { text, call, finishReason }: ScriptedAnswer): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (delta: object, finish: string | null = null, more: object = {}): void => {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    const event = { ...common, object: 'chat.completion.chunk', choices, ...more };
    response.write(`data: ${JSON.stringify(event)}\n\n`);
  };
  if (text !== undefined) send({ role: 'assistant', content: text });
  if (call) {
    const { name, arguments: args } = call;
    send({
      role: 'assistant',
      tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name, arguments: '' } }],
    });
    for (let at = 0; at < args.length; at += 8)
      send({ tool_calls: [{ index: 0, function: { arguments: args.slice(at, at + 8) } }] });
  }
  send({}, finishReason, { usage });
  response.end('data: [DONE]\n\n');
}
