import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  type ClientCapabilities,
  type Implementation,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client';

/** Options of {@link handshakeEarly}. */
export interface EarlyHandshakeOptions {
  readonly clientInfo: Implementation;
  readonly capabilities: ClientCapabilities;
  /** Milliseconds to wait for an answer to the probe before a ping is sent as well. Default 1,000. */
  readonly pingMs?: number;
  /** Milliseconds to wait for the server to start before the legacy handshake is sent as well. */
  readonly delayMs: number;
  /** Milliseconds to wait after the server's first output before the legacy handshake is sent. Default 4,000. */
  readonly outputMs?: number;
  /** Whether the server has written anything. Default: never. */
  readonly hasOutput?: () => boolean;
  /** Called when the server answers the probe late. */
  readonly onLateAnswer: () => void;
}

/** The state of an early handshake. */
export interface EarlyHandshake {
  /** Whether the server has answered the legacy handshake but not the probe for the modern era. */
  readonly isSilent: boolean;
}

const probePrefix = 'server-discover-probe';
const earlyId = 'haft-early-initialize';
const pingId = 'haft-early-ping';
const legacyVersion = '2025-11-25';
const modernVersion = '2026-07-28';
const methodNotFound = -32_601;

/** Milliseconds in which a server that has answered the ping may still answer the probe. */
const graceMs = 250;
const stepMs = 250;

/**
 * Recognises a server that does not answer the probe for the modern era. Some legacy servers ignore unknown requests,
 * and the probe would wait until its time limit. A server that answers a ping but not the probe is such a server. A
 * server that answers neither may not have started yet. After `startMs`, the legacy handshake starts in addition to the
 * probe. A server of both eras that starts even later is then connected in the legacy era, and a server of the modern
 * era alone refuses the handshake.
 */
export function handshakeEarly(transport: Transport, options: EarlyHandshakeOptions): EarlyHandshake {
  const { clientInfo, capabilities, pingMs = 1_000, delayMs, outputMs = 4_000, onLateAnswer } = options;
  const hasOutput = options.hasOutput ?? (() => false);
  const send = transport.send.bind(transport);
  let probeId: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isSent = false;
  let response: JSONRPCMessage | undefined;
  /** Id of the client's own handshake, which is not sent again. */
  let handshakeId: string | number | undefined;
  let isSilent = false;
  /** The answer to the probe, until the answer to the handshake is known. */
  let held: JSONRPCMessage | undefined;
  let answeredLate: string | undefined;

  /** Tells the client that the server does not know the probe. */
  const giveUpProbe = (reason: string): void => {
    const probe = probeId;
    if (probe === undefined) return;
    probeId = undefined;
    answeredLate = probe;
    isSilent = held === undefined;
    inner?.({ jsonrpc: '2.0', id: probe, error: { code: methodNotFound, message: reason } });
  };
  const ping = (): void => {
    // Servers of both eras would take the ping for a message of the modern era, which has no ping.
    const _meta = {
      [PROTOCOL_VERSION_META_KEY]: modernVersion,
      [CLIENT_INFO_META_KEY]: clientInfo,
      [CLIENT_CAPABILITIES_META_KEY]: capabilities,
    };
    send({ jsonrpc: '2.0', id: pingId, method: 'ping', params: { _meta } }).catch(() => undefined);
  };
  const wait = (): void => {
    const started = performance.now();
    let firstOutput: number | undefined;
    let isPinged = false;
    timer = setInterval(() => {
      const now = performance.now();
      if (!isPinged && now - started >= pingMs) {
        isPinged = true;
        ping();
      }
      if (firstOutput === undefined && hasOutput()) firstOutput = now;
      const isOverdue = now - started >= delayMs || (firstOutput !== undefined && now - firstOutput >= outputMs);
      if (!isOverdue) return;
      stop();
      initialize();
    }, stepMs).unref();
  };
  const stop = (): void => clearInterval(timer);
  const initialize = (): void => {
    isSent = true;
    const params = { protocolVersion: legacyVersion, capabilities, clientInfo };
    // If the server is lost, the probe fails as well.
    send({ jsonrpc: '2.0', id: earlyId, method: 'initialize', params }).catch(() => undefined);
  };
  const answerHandshake = (): void => {
    if (response !== undefined && handshakeId !== undefined) transport.onmessage?.({ ...response, id: handshakeId });
  };
  const sendEarly: Transport['send'] = async (message, sendOptions) => {
    const { id, method } = message as { readonly id?: string | number; readonly method?: string };
    if (typeof id === 'string' && id.startsWith(probePrefix)) {
      probeId = id;
      stop();
      wait();
    } else if (method === 'initialize' && id !== undefined) {
      stop();
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
      if ('result' in message) giveUpProbe('the server has answered the legacy handshake');
      else if (held) {
        probeId = undefined;
        inner?.(held, extra);
      }
      return answerHandshake();
    }
    if (isResponse && id === pingId) {
      if (isSent) return undefined;
      stop();
      // An asynchronous server may answer in another order.
      timer = setTimeout(() => giveUpProbe('the server has answered a ping, but not this question'), graceMs).unref();
      return undefined;
    }
    if (isResponse && id !== undefined && id === probeId) {
      stop();
      // After both handshakes, a server of both eras speaks the legacy one.
      if (isSent && response === undefined) {
        held = message;
        return;
      }
      // A ping that is answered later must not answer the probe a second time.
      probeId = undefined;
    }
    if (isResponse && id !== undefined && id === answeredLate) {
      isSilent = false;
      return onLateAnswer();
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
