import type { Server, Transport } from '@modelcontextprotocol/server';
import type { ServedSource } from '../served/served-source.ts';
import { canBeAsked, createEnvelopeCheck } from './plain-call-envelope.ts';
import { readPlainCall, type Notify } from './plain-call.ts';
import { createPlainCalls } from './run-plain-calls.ts';

type Message = Parameters<NonNullable<Transport['onmessage']>>[0];
type Id = string | number;

/** A transport that answers plain calls without the SDK. */
export interface DirectStream {
  /** Sets the server that the SDK uses from now on. */
  use(server: Server, isModern: boolean): void;
  /** Cancels running calls. */
  close(): void;
}

/** Requests that stay open while a client is connected. */
const lasting = 'subscriptions/listen';

/**
 * Answers plain calls of one connection before they reach the SDK, which validates each message several times. The
 * SDK decides on the generation and handles the first call. A call never overtakes a request that the SDK is handling,
 * so calls start in their order of arrival.
 *
 * @param transport the transport, whose `onmessage` is not set yet.
 */
export function answerDirectly(
  transport: Transport,
  served: ServedSource,
  onWarning: (error: Error) => void,
): DirectStream & { readonly transport: Transport } {
  const checkEnvelope = createEnvelopeCheck();
  const calls = createPlainCalls(served);
  const running = new Map<Id, AbortController>();
  /** Requests that the SDK is handling, by method. */
  const open = new Map<Id, string>();
  let current: { readonly server: Server; readonly isModern: boolean } | undefined;
  let isSettled = false;
  const report = (error: unknown): void => onWarning(error instanceof Error ? error : new Error(String(error)));

  const answer = (message: Message): boolean => {
    if (!current || !isSettled || open.size > 0) return false;
    const { server, isModern } = current;
    const call = readPlainCall(message, isModern, checkEnvelope);
    if (!call || running.has(call.id) || !served.isPlainTool(call.params.name)) return false;
    if (!isModern && canBeAsked(server.getClientCapabilities())) return false;
    const controller = new AbortController();
    const { signal } = controller;
    running.set(call.id, controller);
    // The SDK's server knows the log level of a legacy client.
    const notify: Notify = ({ method, params }) =>
      method === 'notifications/message'
        ? server.sendLoggingMessage(params as Parameters<Server['sendLoggingMessage']>[0], inner.sessionId)
        : inner.send({ jsonrpc: '2.0', method, params: { ...params } });
    const respond = (response: object): void => {
      running.delete(call.id);
      // A cancelled request gets no response.
      if (!signal.aborted) inner.send(response as Message).catch(report);
    };
    const origin = { server, ...(inner.sessionId === undefined ? {} : { sessionId: inner.sessionId }) };
    void calls.run(call, origin, signal, notify, respond);
    return true;
  };

  const inner = transport;
  const outer: Transport = {
    get sessionId() {
      return inner.sessionId;
    },
    start() {
      Object.assign(inner, {
        onmessage: (message: Message, extra: Parameters<NonNullable<Transport['onmessage']>>[1]) => {
          const { id, method, params } = message as {
            readonly id?: Id;
            readonly method?: string;
            readonly params?: { readonly requestId?: Id };
          };
          if (id !== undefined && method !== undefined) {
            if (method === 'tools/call' && answer(message)) return;
            if (method !== lasting) open.set(id, method);
          } else if (method === 'notifications/cancelled' && params?.requestId !== undefined) {
            open.delete(params.requestId);
            running.get(params.requestId)?.abort();
          }
          outer.onmessage?.(message, extra);
        },
        onerror: (error: Error) => outer.onerror?.(error),
        onclose: () => {
          calls.close();
          outer.onclose?.();
        },
      });
      return inner.start();
    },
    send(message, options) {
      const { id, method, result } = message as {
        readonly id?: Id;
        readonly method?: string;
        readonly result?: unknown;
      };
      if (id !== undefined && method === undefined) {
        isSettled ||= open.get(id) === 'tools/call' && result !== undefined;
        open.delete(id);
      }
      return inner.send(message, options);
    },
    close: () => inner.close(),
  };
  return {
    transport: outer,
    use(server, isModern) {
      current = { server, isModern };
      isSettled = false;
    },
    close: () => calls.close(),
  };
}
