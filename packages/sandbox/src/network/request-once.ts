import { request, type IncomingMessage } from 'node:http';
import { connect as connectSocket, isIP, type Socket } from 'node:net';
import { connect as connectSecurely, type TLSSocket } from 'node:tls';
import { FetchProblem } from './fetch-problem.ts';
import { plainHostname } from './host-lists.ts';
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
  /** Ends it; its reason is what is told. */
  readonly signal: AbortSignal;
}

const maxHeaderBytes = 32_768;

/** Makes one request to an address that was checked, and gives the answer as soon as its head is there. */
export async function requestOnce(hop: Hop, target: GuardedTarget, options: RequestOptions): Promise<IncomingMessage> {
  const connection = await dialAny(target, options);
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
      signal: options.signal,
      // An agent, even none of its own, would make connections by itself.
      createConnection: () => connection,
    });
    let answer: IncomingMessage | undefined;
    connection.setTimeout(options.idleTimeoutMs, () => {
      const read = connection.bytesRead;
      // A process that was busy has not looked yet: what came meanwhile is read before the next turn.
      setImmediate(() => {
        if (connection.bytesRead === read)
          (answer ?? sent).destroy(new FetchProblem('FETCH_TIMEOUT', `Nothing came for ${options.idleTimeoutMs} ms`));
      });
    });
    sent.once('response', (response) => {
      answer = response;
      resolve(response);
    });
    // Stays for life: an error that nobody listens to would end this process.
    sent.on('error', reject);
    sent.end(body);
  });
}

async function dialAny(target: GuardedTarget, options: RequestOptions): Promise<Socket> {
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

function dialOne(url: URL, address: string, options: RequestOptions): Promise<Socket> {
  const { dial = dialDirectly, ca, connectTimeoutMs, signal } = options;
  const isSecure = url.protocol === 'https:';
  const plain = dial(address, Number(url.port || (isSecure ? 443 : 80)));
  const socket = isSecure ? secure(plain, url, ca) : plain;
  return new Promise((resolve, reject) => {
    const end = (error: unknown): void => {
      stopWaiting();
      plain.destroy();
      socket.destroy();
      reject(error);
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
    plain.on('error', end);
    socket.on('error', end);
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      stopWaiting();
      resolve(socket);
    });
  });
}

function dialDirectly(address: string, port: number): Socket {
  return connectSocket({ host: address, port });
}

/** The certificate has to be that of the host of the URL, whatever address is dialled. */
function secure(socket: Socket, url: URL, ca: string | undefined): TLSSocket {
  const host = plainHostname(url.hostname.replace(/^\[|\]$/g, ''));
  return connectSecurely({
    socket,
    host,
    ...(isIP(host) ? {} : { servername: host }),
    ...(ca === undefined ? {} : { ca }),
    ALPNProtocols: ['http/1.1'],
  });
}
