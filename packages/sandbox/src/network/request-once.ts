import type { Exchange } from './exchange.ts';
import { request, type IncomingMessage } from 'node:http';
import { connect as connectSocket, isIP, type Socket } from 'node:net';
import { connect as connectSecurely, type TLSSocket } from 'node:tls';
import type { Duplex } from 'node:stream';
import { FetchProblem } from './fetch-problem.ts';
import { plainHostname } from './host-lists.ts';
import { meterConnection, type ByteBudget, type MeteredConnection } from './metered-connection.ts';
import type { GuardedTarget } from './network-guard.ts';
import type { Hop } from './next-hop.ts';
import { acceptedEncodings } from './read-body.ts';

/** Opens a connection to an address, never to a name. */
export type Dial = (address: string, port: number) => Socket;

/** How one request is made. */
export interface RequestOptions {
  readonly dial?: Dial | undefined;
  /** Certificates in PEM that are trusted instead of the usual ones. */
  readonly ca?: string | undefined;
  readonly connectTimeoutMs: number;
  readonly idleTimeoutMs: number;
  /** Size limit of the body, on the wire and decompressed. */
  readonly maxBytes: number;
  /** What all requests of one fetch may receive. Each request adds its share. */
  readonly budget: ByteBudget;
  /** Ends it; its reason is what is told. */
  readonly signal: AbortSignal;
}

const maxHeaderBytes = 32_768;
/** Bytes for what comes before the body of one answer: handshake, informational answers, the head. */
const bytesBeforeBody = 262_144;
/** How much may come in with a body, for each of its bytes: chunk sizes and extensions, records of TLS, trailers. */
const bytesForEachOfBody = 2;

/** Makes one request to an address that was checked, and gives the answer as soon as its head is there. */
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
    // A process that was busy has not looked yet: what came meanwhile is read before the next turn.
    setImmediate(() => {
      if (metered.bytesRead === read)
        metered.cut(new FetchProblem('FETCH_TIMEOUT', `Nothing came for ${idleTimeoutMs} ms`));
    });
  });
  try {
    const response = await send(hop, stream, () => budget.allow(bytesForEachOfBody * maxBytes));
    const { 'content-length': length, 'transfer-encoding': coding } = response.headers;
    const assertWhole = (): void => {
      signal.throwIfAborted();
      // A body without a length ends with its connection, in the eyes of Node with one that was cut or reset as well.
      const isComplete = (length !== undefined || coding !== undefined) && response.complete;
      if (!isComplete && metered.problem !== undefined) throw metered.problem;
    };
    return { response, assertWhole, close };
  } catch (error) {
    close();
    throw metered.problem ?? error;
  }
}

/** Sends a request. Settles whatever comes back: an answer, an error, an upgrade that was not asked for, or nothing. */
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
      // An agent, even none of its own, would make connections by itself.
      createConnection: () => stream,
    });
    sent.once('response', (response) => {
      // An answer that is cut before its body is read must not end this process.
      response.on('error', () => {});
      const { statusCode: status = 0 } = response;
      if (status < 200) return reject(new FetchProblem('FETCH_FAILED', `The server answered with status ${status}`));
      onHead();
      resolve(response);
    });
    sent.once('upgrade', () => reject(new FetchProblem('FETCH_FAILED', 'The server changed to another protocol')));
    // Stays for life: an error that has no listener would end this process.
    sent.on('error', reject);
    sent.once('close', () => reject(new FetchProblem('FETCH_FAILED', 'The connection ended before an answer')));
    sent.end(body);
  });
}

/** A connection that is open. */
interface Dialled {
  readonly socket: Socket;
  readonly metered: MeteredConnection;
  /** Carries HTTP: the metered connection, or TLS on it. */
  readonly stream: Duplex;
}

async function dialAny(target: GuardedTarget, options: RequestOptions): Promise<Dialled> {
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

function dialOne(url: URL, address: string, options: RequestOptions): Promise<Dialled> {
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
      end(new FetchProblem('FETCH_TIMEOUT', `No connection in ${connectTimeoutMs} ms`));
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

/** The certificate has to be that of the host of the URL, whatever address is dialled. */
function secure(socket: Duplex, url: URL, ca: string | undefined): TLSSocket {
  const host = plainHostname(url.hostname.replace(/^\[|\]$/g, ''));
  return connectSecurely({
    socket,
    host,
    ...(isIP(host) ? {} : { servername: host }),
    ...(ca === undefined ? {} : { ca }),
    ALPNProtocols: ['http/1.1'],
  });
}
