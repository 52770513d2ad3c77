import type { ClientCapabilities, Implementation, JSONRPCMessage, Transport } from '@modelcontextprotocol/client';

/** Options of {@link handshakeEarly}. */
export interface EarlyHandshakeOptions {
  readonly clientInfo: Implementation;
  readonly capabilities: ClientCapabilities;
  /** Milliseconds that a server may take to respond to the probe before the legacy handshake starts as well. */
  readonly delayMs: number;
}

/** The state of an early handshake. */
export interface EarlyHandshake {
  /** Whether the server has answered the legacy handshake but not the probe for the modern era. */
  readonly isSilent: boolean;
}

const probePrefix = 'server-discover-probe';
const earlyId = 'haft-early-initialize';
const legacyVersion = '2025-11-25';
const methodNotFound = -32_601;

/**
 * Starts the legacy handshake of a server that leaves the probe for the modern era unanswered, beside the probe. Some
 * legacy servers ignore unknown requests, and would cost the whole time limit of the probe. A modern server that starts
 * slowly answers the probe first.
 */
export function handshakeEarly(transport: Transport, options: EarlyHandshakeOptions): EarlyHandshake {
  const { clientInfo, capabilities, delayMs } = options;
  const send = transport.send.bind(transport);
  let probeId: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isSent = false;
  let response: JSONRPCMessage | undefined;
  /** Id of the client's own handshake, which is not sent again. */
  let handshakeId: string | number | undefined;
  let isSilent = false;

  const initialize = (): void => {
    isSent = true;
    const params = { protocolVersion: legacyVersion, capabilities, clientInfo };
    // If the server is lost, the probe fails as well.
    send({ jsonrpc: '2.0', id: earlyId, method: 'initialize', params } as JSONRPCMessage).catch(() => undefined);
  };
  const answerHandshake = (): void => {
    if (response !== undefined && handshakeId !== undefined)
      transport.onmessage?.({ ...response, id: handshakeId } as JSONRPCMessage);
  };
  const sendEarly: Transport['send'] = async (message, sendOptions) => {
    const { id, method } = message as { readonly id?: string | number; readonly method?: string };
    if (typeof id === 'string' && id.startsWith(probePrefix)) {
      probeId = id;
      clearTimeout(timer);
      timer = setTimeout(initialize, delayMs);
    } else if (method === 'initialize' && id !== undefined) {
      clearTimeout(timer);
      if (isSent) {
        handshakeId = id;
        return queueMicrotask(answerHandshake);
      }
    }
    return send(message, sendOptions);
  };

  let inner: Transport['onmessage'];
  const receive: NonNullable<Transport['onmessage']> = (message, extra) => {
    const { id } = message as { readonly id?: unknown };
    const isResponse = !('method' in message);
    if (isResponse && id === earlyId) {
      response = message;
      if (probeId !== undefined && 'result' in message) {
        isSilent = true;
        const error = { code: methodNotFound, message: 'the server has not answered' };
        inner?.({ jsonrpc: '2.0', id: probeId, error });
      }
      return answerHandshake();
    }
    if (isResponse && id !== undefined && id === probeId) {
      clearTimeout(timer);
      // A late answer shows that the server knows the modern era.
      isSilent = false;
      probeId = undefined;
    }
    inner?.(message, extra);
  };
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    enumerable: true,
    get: () => (inner === undefined ? undefined : receive),
    set: (handler: Transport['onmessage']) => {
      inner = handler === receive ? inner : handler;
    },
  });
  Object.assign(transport, { send: sendEarly });
  return {
    get isSilent() {
      return isSilent;
    },
  };
}
