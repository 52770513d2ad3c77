import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { compileHosts, normalizeHostname } from './host-lists.ts';
import { createNetworkGuard, type NetworkGuard } from './network-guard.ts';
import type { Dial } from './request-once.ts';

/** Hosts that may be reached, and how their addresses are checked. */
export interface EgressOptions {
  /**
   * Allowed hosts: `example.com` (ports 80 and 443), `example.com:8080`, `*.example.com` for its subdomains. All others
   * are refused.
   */
  readonly hosts: readonly string[];
  /** Checks the addresses of allowed hosts. Default: `createNetworkGuard()`, the public network only. */
  readonly guard?: NetworkGuard;
  /** Opens a connection to a checked address. Default: a direct connection. */
  readonly dial?: Dial;
}

/** A running egress proxy. */
export interface Egress {
  /** A directory that contains only the socket. */
  readonly directory: string;
  /** A local socket with an HTTP proxy, including `CONNECT`. */
  readonly socketPath: string;
  close(): Promise<void>;
}

const connectTimeoutMs = 10_000;
const idleTimeoutMs = 120_000;
const maxHeaderBytes = 32_768;
const maxConnections = 256;
/** Hop-by-hop headers, which are not forwarded. */
const hopHeaders = new Set(
  'connection proxy-connection proxy-authorization proxy-authenticate keep-alive te trailer upgrade host'.split(' '),
);

/**
 * Opens a proxy on a local socket that only its owner can use. It connects to allowed hosts at addresses that the guard
 * has checked, and refuses all others with 403. It does not keep this process alive.
 *
 * @throws TypeError if an entry of `hosts` is not a host or matches every host.
 */
export async function openEgress(options: EgressOptions): Promise<Egress> {
  const { guard = createNetworkGuard(), dial = dialDirectly } = options;
  const listed = compileHosts(options.hosts.flatMap(addDefaultPorts));
  const sockets = new Set<Duplex>();
  const hold = <Held extends Duplex>(socket: Held): Held => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    return socket;
  };

  /** Connects to a checked address of the URL's host, or returns the reason for a refusal. */
  const connectTo = async (url: URL | null): Promise<Socket | Refusal> => {
    if (!url) return { status: 400, reason: 'the URL is not valid' };
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
    const hostname = normalizeHostname(url.hostname);
    if (!listed.hasHost(hostname, port)) return { status: 403, reason: `${hostname}:${port} is not an allowed host` };
    const target = await guard.check(url);
    if (!target.ok) return { status: target.code === 'HOST_NOT_FOUND' ? 502 : 403, reason: target.message };
    for (const address of target.addresses) {
      const socket = await open(dial, address, port);
      if (socket) return hold(socket);
    }
    return { status: 502, reason: `${hostname}:${port} is not reachable` };
  };

  const server = createServer({ maxHeaderSize: maxHeaderBytes }, (incoming, clientResponse) => {
    void forward(incoming, clientResponse, connectTo).catch(() => clientResponse.destroy());
  });
  server.maxConnections = maxConnections;
  server.on('connection', (socket: Socket) => hold(socket).setTimeout(idleTimeoutMs, () => socket.destroy()));
  server.on('connect', (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
    void tunnel(incoming.url ?? '', client, head, connectTo).catch(() => client.destroy());
  });

  const directory = await mkdtemp(join(tmpdir(), 'haft-egress-'));
  const socketPath = join(directory, 's');
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketPath, resolve);
  });
  server.unref();
  return {
    directory,
    socketPath,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

interface Refusal {
  readonly status: 400 | 403 | 502;
  readonly reason: string;
}

type ConnectTo = (url: URL | null) => Promise<Socket | Refusal>;

async function tunnel(target: string, client: Duplex, head: Buffer, connectTo: ConnectTo): Promise<void> {
  // Requires a host and a port. The URL parser would drop a default port.
  const isHostAndPort = /^[^\s/?#@\\]+:\d{1,5}$/.test(target);
  const connection = await connectTo(isHostAndPort ? URL.parse(`https://${target}/`) : null);
  if ('status' in connection) {
    client.end(
      `HTTP/1.1 ${connection.status} Refused\r\ncontent-length: ${Buffer.byteLength(connection.reason)}\r\nconnection: close\r\n\r\n${connection.reason}`,
    );
    return;
  }
  // If the client has gone meanwhile, the connection must not stay open.
  if (client.destroyed) return void connection.destroy();
  client.write('HTTP/1.1 200 Connection established\r\n\r\n');
  connection.write(head);
  client.pipe(connection).pipe(client);
  client.once('close', () => connection.destroy());
  connection.once('close', () => client.destroy());
}

async function forward(incoming: IncomingMessage, clientResponse: ServerResponse, connectTo: ConnectTo): Promise<void> {
  const url = URL.parse(incoming.url ?? '');
  const connection = await connectTo(url?.protocol === 'http:' ? url : null);
  if ('status' in connection || !url) {
    const refusal = 'status' in connection ? connection : { status: 400, reason: 'the URL is not valid' };
    clientResponse.writeHead(refusal.status, { connection: 'close', 'content-type': 'text/plain; charset=utf-8' });
    clientResponse.end(refusal.reason);
    return;
  }
  if (clientResponse.destroyed) return void connection.destroy();
  const headers = Object.fromEntries(Object.entries(incoming.headers).filter(([name]) => !hopHeaders.has(name)));
  const sent = request({
    method: incoming.method,
    path: `${url.pathname}${url.search}`,
    // The host that was checked, regardless of the program's own header.
    headers: { ...headers, host: url.host, connection: 'close' },
    maxHeaderSize: maxHeaderBytes,
    createConnection: () => connection,
  });
  sent.on('error', () => clientResponse.destroy());
  clientResponse.once('close', () => sent.destroy());
  // Reached after an unexpected upgrade, or if only informational responses arrived.
  sent.once('close', () => void (clientResponse.headersSent || clientResponse.destroy()));
  sent.once('response', (response) => {
    response.once('close', () => void (response.complete || clientResponse.destroy()));
    const back = Object.entries(response.headers).filter(([name]) => !hopHeaders.has(name));
    clientResponse.writeHead(response.statusCode ?? 502, { ...Object.fromEntries(back), connection: 'close' });
    response.pipe(clientResponse);
  });
  incoming.pipe(sent);
}

function open(dial: Dial, address: string, port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = dial(address, port);
    const settle = (connection: Socket | undefined): void => {
      clearTimeout(timer);
      if (!connection) socket.destroy();
      resolve(connection);
    };
    const timer = setTimeout(() => settle(undefined), connectTimeoutMs);
    socket.once('connect', () => settle(socket)).once('error', () => settle(undefined));
  });
}

function dialDirectly(address: string, port: number): Socket {
  return connect({ host: address, port });
}

/** An entry without a port matches ports 80 and 443. */
function addDefaultPorts(entry: string): readonly string[] {
  if (entry === '' || entry === '*' || entry.includes('/'))
    throw new TypeError(
      `hosts: ${JSON.stringify(entry)} is not a host (expected example.com, example.com:8080 or *.example.com)`,
    );
  return /:\d{1,5}$/.test(entry) ? [entry] : [`${entry}:80`, `${entry}:443`];
}
