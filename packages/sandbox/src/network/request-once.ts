import type { Exchange } from './http-exchange.ts';
import { request, type IncomingMessage } from 'node:http';
import { connect as connectSocket, isIP, type Socket } from 'node:net';
import { connect as connectSecurely, type TLSSocket } from 'node:tls';
import type { Duplex } from 'node:stream';
import { FetchProblem } from './fetch-problem.ts';
import { normalizeHostname } from './host-lists.ts';
import { meterConnection, type ByteBudget, type MeteredConnection } from './meter-connection.ts';
import type { GuardedTarget } from './network-guard.ts';
import type { Hop } from './next-redirect.ts';
import { acceptedEncodings } from './read-response-body.ts';

/** Opens a connection to an address, never to a name. */
export type Dial = (address: string, port: number) => Socket;

/** Options of one request. */
export interface RequestOptions {
  readonly dial?: Dial | undefined;
  /** PEM certificates to trust instead of the default ones. */
  readonly ca?: string | undefined;
  readonly connectTimeoutMs: number;
  readonly idleTimeoutMs: number;
  /** Maximum size of the body, compressed and decompressed. */
  readonly maxBytes: number;
  /** The budget of all requests of one fetch. Each request adds its share. */
  readonly budget: ByteBudget;
  /** Aborts the request with its reason. */
  readonly signal: AbortSignal;
}

const maxHeaderBytes = 32_768;
/** Bytes allowed before the body of a response: handshake, informational responses and headers. */
const bytesBeforeBody = 262_144;
/** Factor for bytes received with a body: chunk sizes and extensions, TLS records and trailers. */
const bytesPerBodyByte = 2;

/** Sends one request to a checked address. Resolves when the head of the response has arrived. */
export async function requestOnce(hop: Hop, target: GuardedTarget, options: RequestOptions): Promise<Exchange> {
  const { budget, maxBytes, idleTimeoutMs, signal } = options;
  budget.allow(bytesBeforeBody);
  const { metered, stream, socket } = await dialAny(target, options);
  const abort = (): void => metered.cut(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  const close = (): void => {
    signal.removeEventListener('abort', abort);
    stream.destroy();
    metered.stream.destroy();
  };
  socket.setTimeout(idleTimeoutMs, () => {
    const read = metered.bytesRead;
    // A busy process may not have read data that has already arrived; it is read before the next turn.
    setImmediate(() => {
      if (metered.bytesRead === read)
        metered.cut(new FetchProblem('FETCH_TIMEOUT', `no data arrived for ${idleTimeoutMs} ms`));
    });
  });
  try {
    const response = await send(hop, stream, () => budget.allow(bytesPerBodyByte * maxBytes));
    const { 'content-length': length, 'transfer-encoding': coding } = response.headers;
    const assertWhole = (): void => {
      signal.throwIfAborted();
      // Node treats a body without a length as complete even if its connection was reset.
      const isComplete = (length !== undefined || coding !== undefined) && response.complete;
      if (!isComplete && metered.problem !== undefined) throw metered.problem;
    };
    return { response, assertWhole, close };
  } catch (error) {
    close();
    throw metered.problem ?? error;
  }
}

/** Sends a request. Settles on a response, an error, an unexpected upgrade, or the end of the connection. */
function send(hop: Hop, stream: Duplex, onHead: () => void): Promise<IncomingMessage> {
  const { url, method, headers, body } = hop;
  return new Promise((resolve, reject) => {
    const sent = request({
      method,
      path: `${url.pathname}${url.search}`,
      headers: {
        ...headers,
        host: url.host,
        'accept-encoding': acceptedEncodings,
        connection: 'close',
        ...(body === undefined ? {} : { 'content-length': body.length }),
      },
      maxHeaderSize: maxHeaderBytes,
      // An agent would open connections itself.
      createConnection: () => stream,
    });
    sent.once('response', (response) => {
      // A response that breaks off before its body is read must not end this process.
      response.on('error', () => {});
      const { statusCode: status = 0 } = response;
      if (status < 200) return reject(new FetchProblem('FETCH_FAILED', `the server responded with status ${status}`));
      onHead();
      resolve(response);
    });
    sent.once('upgrade', () => reject(new FetchProblem('FETCH_FAILED', 'the server changed to another protocol')));
    // Stays attached: an error event without a listener would end this process.
    sent.on('error', reject);
    sent.once('close', () => reject(new FetchProblem('FETCH_FAILED', 'the connection ended before a response')));
    sent.end(body);
  });
}

/** An open connection. */
interface DialedConnection {
  readonly socket: Socket;
  readonly metered: MeteredConnection;
  /** Carries HTTP: the metered connection, or TLS on top of it. */
  readonly stream: Duplex;
}

async function dialAny(target: GuardedTarget, options: RequestOptions): Promise<DialedConnection> {
  let problem: unknown;
  for (const address of target.addresses) {
    try {
      return await dialOne(target.url, address, options);
    } catch (error) {
      options.signal.throwIfAborted();
      problem = error;
    }
  }
  throw problem;
}

function dialOne(url: URL, address: string, options: RequestOptions): Promise<DialedConnection> {
  const { dial = dialDirectly, ca, connectTimeoutMs, signal, budget } = options;
  const isSecure = url.protocol === 'https:';
  const socket = dial(address, Number(url.port || (isSecure ? 443 : 80)));
  const metered = meterConnection(socket, budget);
  const stream = isSecure ? secure(metered.stream, url, ca) : metered.stream;
  return new Promise((resolve, reject) => {
    const end = (error: unknown): void => {
      stopWaiting();
      metered.cut(error);
      stream.destroy();
      reject(metered.problem);
    };
    const timer = setTimeout(() => {
      end(new FetchProblem('FETCH_TIMEOUT', `no connection within ${connectTimeoutMs} ms`));
    }, connectTimeoutMs);
    const abort = (): void => end(signal.reason);
    const stopWaiting = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    };
    signal.addEventListener('abort', abort, { once: true });
    metered.stream.on('error', end);
    stream.on('error', end);
    const isOpen = (): void => {
      stopWaiting();
      resolve({ socket, metered, stream });
    };
    if (isSecure) stream.once('secureConnect', isOpen);
    else socket.once('connect', isOpen);
  });
}

function dialDirectly(address: string, port: number): Socket {
  return connectSocket({ host: address, port });
}

/** Opens TLS. The certificate must match the host of the URL, regardless of the address. */
function secure(socket: Duplex, url: URL, ca: string | undefined): TLSSocket {
  const host = normalizeHostname(url.hostname.replace(/^\[|\]$/g, ''));
  return connectSecurely({
    socket,
    host,
    ...(isIP(host) ? {} : { servername: host }),
    ...(ca === undefined ? {} : { ca }),
    ALPNProtocols: ['http/1.1'],
  });
}
