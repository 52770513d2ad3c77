import { SdkHttpError, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import { createHttpTransport } from '../http/http-transport.ts';
import { McpError } from '../mcp-error.ts';
import { cleanLine } from '../untrusted/clean-text.ts';

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: { readonly requestId?: string | number; readonly _meta?: Readonly<Record<string, unknown>> };
  readonly result?: { readonly protocolVersion?: unknown };
}

const versionKey = 'io.modelcontextprotocol/protocolVersion';

/**
 * Creates the transport to a server over HTTP for a client that sends its messages over another transport. Does what
 * the client's own HTTP transport would do: adds the negotiated version to requests of a legacy client, and closes the
 * stream of a cancelled modern request. A request that the server refuses gets an error with the HTTP status.
 *
 * @throws McpError `INVALID_OPTION` if the URL is invalid.
 */
export function connectHttpServer(
  address: string,
  headers: Readonly<Record<string, string>>,
  maxMessageBytes: number,
): Transport {
  const url = readUrl(address);
  const http = createHttpTransport({
    url,
    headers,
    fetch: undefined,
    authorize: undefined,
    maxMessageBytes,
    onNoStream: () => undefined,
    onStalled: () => undefined,
    kind: 'http',
  });
  const handshakes = new Set<string | number>();
  /** Open requests of a modern client. */
  const open = new Map<string | number, AbortController>();

  const receive = (message: JSONRPCMessage): void => {
    const { id, method, result } = message as Message;
    if (id !== undefined && method === undefined) {
      open.delete(id);
      const version = handshakes.delete(id) ? result?.protocolVersion : undefined;
      if (typeof version === 'string') http.setProtocolVersion?.(version);
    }
    transport.onmessage?.(message);
  };
  const transport: Transport = {
    start() {
      Object.assign(http, {
        onmessage: receive,
        onerror: (error: Error) => transport.onerror?.(error),
        onclose: () => transport.onclose?.(),
      });
      return http.start();
    },
    async send(message) {
      const { id, method, params } = message as Message;
      const cancelled = method === 'notifications/cancelled' ? open.get(params?.requestId ?? '') : undefined;
      if (cancelled) return cancelled.abort();
      if (id === undefined || method === undefined) return http.send(message).catch(() => undefined);
      if (method === 'initialize') handshakes.add(id);
      const isModern = params?._meta?.[versionKey] !== undefined;
      const controller = new AbortController();
      if (isModern) open.set(id, controller);
      // The response may be a long stream, so the next message does not wait for it.
      http.send(message, isModern ? { requestSignal: controller.signal } : {}).catch((error: unknown) => {
        open.delete(id);
        if (controller.signal.aborted) return;
        receive({ jsonrpc: '2.0', id, error: { code: -32_000, message: describe(error) } });
      });
    },
    async close() {
      await http.endSession();
      await http.close();
    },
  };
  return transport;
}

function describe(error: unknown): string {
  const reason = cleanLine(error instanceof Error ? error.message : String(error), 300);
  return SdkHttpError.isInstance(error) ? `the server answered status ${error.data.status}: ${reason}` : reason;
}

function readUrl(address: string): URL {
  try {
    const url = new URL(address);
    if (url.protocol === 'http:' || url.protocol === 'https:') return url;
  } catch {
    // Reported below.
  }
  throw new McpError(
    'INVALID_OPTION',
    `url is not valid (expected an HTTP URL such as "https://example.com/mcp", got ${JSON.stringify(address)})`,
  );
}
