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
  /** Puts a person's token to requests. */
  readonly authorize: ((next: FetchLike) => FetchLike) | undefined;
  readonly maxMessageBytes: number;
  /** Hears why there is no stream on which the server could tell anything unasked. */
  readonly onNoStream: (reason: string) => void;
  /** Hears that the connection is closed because the server does not take the replies that it has asked for. */
  readonly onStalled: (reason: McpError) => void;
  /** `sse` is the transport that Streamable HTTP took the place of. */
  readonly kind: 'http' | 'sse';
}

/** Makes the transport to a server that listens on an address. Redirects to other origins are refused. */
export function createHttpTransport(address: HttpAddress): Transport {
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
    room: () => (unread.isFull ? unread.room() : undefined),
  });
  const options = { fetch, requestInit: { headers: { ...headers } } };
  const transport = limitReplies(
    kind === 'sse'
      ? new SSEClientTransport(url, options)
      : answerEveryRequest(new StreamableHTTPClientTransport(url, options)),
    unread,
  );
  return transport;
}

/** Each reply is a request of its own, which costs more than its text. */
const replyBytes = 16 * 1024;
const maxParallelReplies = 16;

/** Sends a few replies at a time, and counts those that the server has not taken. */
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

/** A stream that ends without the answer fails its request at once, where the SDK would wait until it times out. */
function answerEveryRequest(transport: StreamableHTTPClientTransport): Transport {
  const send = transport.send.bind(transport);
  const open = new Set<string | number>();
  const sendAndWatch: StreamableHTTPClientTransport['send'] = async (message, options) => {
    const id = requestId(message);
    if (id === undefined) return send(message, options);
    open.add(id);
    const onRequestStreamEnd = (): void => {
      options?.onRequestStreamEnd?.();
      // What the stream's last bytes held is still on its way.
      setImmediate(() => {
        if (!open.delete(id)) return;
        const error = { code: -32_000, message: 'the stream of the server ended before its answer' };
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

function requestId(message: JSONRPCMessage | readonly JSONRPCMessage[]): string | number | undefined {
  return !Array.isArray(message) && 'id' in message && 'method' in message ? message.id : undefined;
}
