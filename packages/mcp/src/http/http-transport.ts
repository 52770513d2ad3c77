import {
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type FetchLike,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { createHardenedFetch } from './hardened-fetch.ts';
import type { McpError } from '../mcp-error.ts';
import { createUnreadReplies, type UnreadReplies } from '../flow/unread-replies.ts';

/** How to reach a server over HTTP. */
export interface HttpAddress {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: FetchLike | undefined;
  /** Adds the user's token to requests. */
  readonly authorize: ((next: FetchLike) => FetchLike) | undefined;
  readonly maxMessageBytes: number;
  /** Called when the server offers no stream for its notifications. */
  readonly onNoStream: (reason: string) => void;
  /** Called when the connection is closed because the server does not accept the replies it asked for. */
  readonly onStalled: (reason: McpError) => void;
  /** `sse` is the HTTP+SSE transport that Streamable HTTP replaced. */
  readonly kind: 'http' | 'sse';
}

/** A transport over HTTP. */
export interface HttpTransport extends Transport {
  /** Tells the server to end the session, if there is one. Never rejects. */
  endSession(): Promise<void>;
}

/** Creates the transport to a server at a URL. Redirects to other origins are refused. */
export function createHttpTransport(address: HttpAddress): HttpTransport {
  const { url, headers, kind, maxMessageBytes } = address;
  const baseFetch: FetchLike = address.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const unread = createUnreadReplies({
    onStalled(reason) {
      address.onStalled(reason);
      void transport.close();
    },
  });
  const fetch = createHardenedFetch({
    fetch: address.authorize?.(baseFetch) ?? baseFetch,
    maxMessageBytes,
    random: Math.random,
    onNoStream: address.onNoStream,
    // The older transport answers on its stream.
    hasAnswers: kind === 'http',
    room: () => (unread.isFull ? unread.room() : undefined),
  });
  const options = { fetch, requestInit: { headers: { ...headers } } };
  const streamable = kind === 'sse' ? undefined : new StreamableHTTPClientTransport(url, options);
  const transport = limitReplies(
    streamable ? answerEveryRequest(streamable) : new SSEClientTransport(url, options),
    unread,
  );
  // The server may have ended the session, or may not support this.
  const endSession = async (): Promise<void> => streamable?.terminateSession().catch(() => undefined);
  return Object.assign(transport, { endSession });
}

/** Minimum cost of a reply: each one is an HTTP request. */
const replyBytes = 16 * 1024;
const maxParallelReplies = 16;

/** Sends a limited number of replies at once, and counts replies that the server has not accepted. */
function limitReplies(transport: Transport, unread: UnreadReplies): Transport {
  const send = transport.send.bind(transport);
  const waiting: (() => void)[] = [];
  let running = 0;
  const sendAndCount: Transport['send'] = async (message, options) => {
    if (Array.isArray(message) || 'method' in message) return send(message, options);
    if (unread.stalled) throw unread.stalled;
    const done = unread.add(Math.max(replyBytes, JSON.stringify(message).length), true);
    try {
      if (running >= maxParallelReplies) await new Promise<void>((resolve) => waiting.push(resolve));
      else running += 1;
      return await send(message, options);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
      done();
    }
  };
  return Object.assign(transport, { send: sendAndCount });
}

/** Fails a request as soon as its stream ends without a response. The SDK would wait for the timeout. */
function answerEveryRequest(transport: StreamableHTTPClientTransport): Transport {
  const send = transport.send.bind(transport);
  const open = new Set<string | number>();
  const sendAndWatch: StreamableHTTPClientTransport['send'] = async (message, options) => {
    const cancelled = cancelledId(message);
    if (cancelled !== undefined) open.delete(cancelled);
    const id = requestId(message);
    if (id === undefined) return send(message, options);
    open.add(id);
    const onRequestStreamEnd = (): void => {
      options?.onRequestStreamEnd?.();
      // Messages in the last bytes of the stream are still being dispatched.
      setImmediate(() => {
        if (!open.delete(id)) return;
        const error = { code: -32_000, message: 'the stream ended before the response' };
        transport.onmessage?.({ jsonrpc: '2.0', id, error });
      });
    };
    try {
      await send(message, { ...options, onRequestStreamEnd });
    } catch (error) {
      open.delete(id);
      throw error;
    }
  };
  let inner: Transport['onmessage'];
  const receive = (message: JSONRPCMessage): void => {
    if ('id' in message && !('method' in message)) open.delete(message.id as string | number);
    inner?.(message);
  };
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    enumerable: true,
    get: () => (inner === undefined ? undefined : receive),
    set: (handler: Transport['onmessage']) => {
      inner = handler === receive ? inner : handler;
    },
  });
  return Object.assign(transport, { send: sendAndWatch });
}

/** Returns the id of the request that a message cancels. It gets no response. */
function cancelledId(message: JSONRPCMessage | readonly JSONRPCMessage[]): string | number | undefined {
  if (Array.isArray(message) || !('method' in message) || message.method !== 'notifications/cancelled')
    return undefined;
  const { requestId: id } = (message.params ?? {}) as { readonly requestId?: unknown };
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

function requestId(message: JSONRPCMessage | readonly JSONRPCMessage[]): string | number | undefined {
  return !Array.isArray(message) && 'id' in message && 'method' in message ? message.id : undefined;
}
