import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { JsonRpcMessage } from '../protocol/message.ts';
import type { Transport } from '../protocol/transport.ts';

/** The members of a connected `Client` of SDK 1.x that are used. */
export type SdkClient = Pick<
  Client,
  | 'request'
  | 'getServerCapabilities'
  | 'getServerVersion'
  | 'getInstructions'
  | 'fallbackNotificationHandler'
  | 'onclose'
>;

interface ClientRequest {
  readonly id: string | number;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>> & {
    readonly _meta?: Readonly<Record<string, unknown>>;
    readonly requestId?: string | number;
  };
}

/** Disables the SDK's timeout. The connection has its own and cancels. */
const maxTimerMs = 2 ** 31 - 1;
const revision = '2025-11-25';

/**
 * Creates a transport from a connected `Client` of `@modelcontextprotocol/sdk` 1.x, for `createConnection({ transport:
 * fromSdkClient(client) })`. Closing the connection does not close the client. Requests of the server (sampling,
 * elicitation, roots) go to the client's own handlers.
 */
export function fromSdkClient(client: SdkClient): Transport {
  const running = new Map<string | number, AbortController>();
  const previous = { notification: client.fallbackNotificationHandler, close: client.onclose };
  let isOpen = false;
  const deliver = (message: object): void => {
    if (isOpen) transport.onmessage?.({ jsonrpc: '2.0', ...message } as JsonRpcMessage);
  };
  const end = (): void => {
    if (!isOpen) return;
    isOpen = false;
    for (const controller of running.values()) controller.abort();
    Object.assign(client, { fallbackNotificationHandler: previous.notification, onclose: previous.close });
    transport.onclose?.();
  };

  const ask = async ({ method, params = {} }: ClientRequest, signal: AbortSignal): Promise<object> => {
    if (method === 'initialize')
      return {
        protocolVersion: revision,
        capabilities: client.getServerCapabilities() ?? {},
        serverInfo: client.getServerVersion() ?? { name: 'server', version: '' },
        instructions: client.getInstructions(),
      };
    const { _meta: { progressToken, ...meta } = {}, ...rest } = params;
    const onprogress = (progress: object): void =>
      deliver({ method: 'notifications/progress', params: { ...progress, progressToken } });
    const request = { method, params: { ...rest, ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }) } };
    return client.request(request, ResultSchema, {
      signal,
      timeout: maxTimerMs,
      ...(progressToken === undefined ? {} : { onprogress }),
    });
  };

  const answer = async (incoming: ClientRequest): Promise<void> => {
    const controller = new AbortController();
    running.set(incoming.id, controller);
    try {
      // The legacy era does not know the era probe.
      if (incoming.method === 'server/discover') throw Object.assign(new Error('unknown method'), { code: -32_601 });
      deliver({ id: incoming.id, result: await ask(incoming, controller.signal) });
    } catch (error) {
      const { code, data, message } = error as { readonly code?: unknown; readonly data?: unknown; message?: string };
      const known = { code: typeof code === 'number' ? code : -32_603, message: message ?? 'the request failed' };
      if (!controller.signal.aborted)
        deliver({ id: incoming.id, error: data === undefined ? known : { ...known, data } });
    } finally {
      running.delete(incoming.id);
    }
  };

  const transport: Transport = {
    start() {
      isOpen = true;
      Object.assign(client, {
        async fallbackNotificationHandler(notification: { readonly method: string; readonly params?: object }) {
          deliver(notification);
          await previous.notification?.(notification as Parameters<NonNullable<typeof previous.notification>>[0]);
        },
        onclose() {
          previous.close?.();
          end();
        },
      });
      return Promise.resolve();
    },
    send(message) {
      if (!isOpen) return Promise.reject(new Error('the client is closed'));
      const { id, method, params } = message as ClientRequest;
      if (method === 'notifications/cancelled') running.get(params?.requestId ?? '')?.abort();
      else if (id !== undefined && method !== undefined) void answer({ id, method, ...(params ? { params } : {}) });
      return Promise.resolve();
    },
    close() {
      end();
      return Promise.resolve();
    },
  };
  return transport;
}
