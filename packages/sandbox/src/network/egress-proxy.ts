import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { compileHosts, plainHostname } from './host-lists.ts';
import { createNetworkGuard, type NetworkGuard } from './network-guard.ts';
import type { Dial } from './request-once.ts';

/** Which hosts may be reached, and how that is checked. */
export interface EgressOptions {
  /**
   * Hosts as `example.com` (ports 80 and 443), `example.com:8080`, `*.example.com` for its subdomains. All others are refused.
   */
  readonly hosts: readonly string[];
  /** Checks the addresses of what is on the list. Default: `createNetworkGuard()`, the public network alone. */
  readonly guard?: NetworkGuard;
  /** Opens a connection to an address that was checked. Default: directly. */
  readonly dial?: Dial;
}

/** A way out to some hosts. */
export interface Egress {
  /** The folder that holds nothing but the socket. */
  readonly folder: string;
  /** A local socket that speaks as an HTTP proxy does, `CONNECT` included. */
  readonly socketPath: string;
  close(): Promise<void>;
}

const connectTimeoutMs = 10_000;
const idleTimeoutMs = 120_000;
const maxHeaderBytes = 32_768;
const maxConnections = 256;
/** What is between a program and its proxy, and no further. */
const hopHeaders = new Set(
  'connection proxy-connection proxy-authorization proxy-authenticate keep-alive te trailer upgrade host'.split(' '),
);

/**
 * Opens a proxy on a local socket that nobody else may open: it lets through what is on the list, at an address that the guard has
 * checked, and refuses the rest with 403. It does not keep this process from ending.
 *
 * @throws TypeError for an entry of `hosts` that is no host, or one that stands for all of them.
 */
export async function openEgress(options: EgressOptions): Promise<Egress> {
  const { guard = createNetworkGuard(), dial = dialDirectly } = options;
  const listed = compileHosts(options.hosts.flatMap(withPorts));
  const sockets = new Set<Duplex>();
  const hold = <Held extends Duplex>(socket: Held): Held => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    return socket;
  };

  /** A connection to one of the checked addresses of a URL's host, or why there is none. */
  const reach = async (url: URL | null): Promise<Socket | Refusal> => {
    if (!url) return { status: 400, reason: 'the address can not be read' };
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
    const hostname = plainHostname(url.hostname);
    if (!listed.hasHost(hostname, port))
      return { status: 403, reason: `${hostname}:${port} is not among the hosts that may be reached` };
    const target = await guard.check(url);
    if (!target.ok) return { status: target.code === 'HOST_NOT_FOUND' ? 502 : 403, reason: target.message };
    for (const address of target.addresses) {
      const socket = await open(dial, address, port);
      if (socket) return hold(socket);
    }
    return { status: 502, reason: `${hostname}:${port} can not be reached` };
  };

  const server = createServer({ maxHeaderSize: maxHeaderBytes }, (incoming, answer) => {
    void forward(incoming, answer, reach).catch(() => answer.destroy());
  });
  server.maxConnections = maxConnections;
  server.on('connection', (socket: Socket) => hold(socket).setTimeout(idleTimeoutMs, () => socket.destroy()));
  server.on('connect', (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
    void tunnel(incoming.url ?? '', client, head, reach).catch(() => client.destroy());
  });

  const folder = await mkdtemp(join(tmpdir(), 'haft-egress-'));
  const socketPath = join(folder, 's');
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketPath, resolve);
  });
  server.unref();
  return {
    folder,
    socketPath,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Refusal {
  readonly status: 400 | 403 | 502;
  readonly reason: string;
}

type Reach = (url: URL | null) => Promise<Socket | Refusal>;

async function tunnel(target: string, client: Duplex, head: Buffer, reach: Reach): Promise<void> {
  // A host and a port, both of them; a URL parser would leave out a port that is usual.
  const isPlain = /^[^\s/?#@\\]+:\d{1,5}$/.test(target);
  const reached = await reach(isPlain ? URL.parse(`https://${target}/`) : null);
  if ('status' in reached) {
    client.end(
      `HTTP/1.1 ${reached.status} Refused\r\ncontent-length: ${Buffer.byteLength(reached.reason)}\r\nconnection: close\r\n\r\n${reached.reason}`,
    );
    return;
  }
  // Whoever has gone meanwhile leaves nothing open behind.
  if (client.destroyed) return void reached.destroy();
  client.write('HTTP/1.1 200 Connection established\r\n\r\n');
  reached.write(head);
  client.pipe(reached).pipe(client);
  client.once('close', () => reached.destroy());
  reached.once('close', () => client.destroy());
}

async function forward(incoming: IncomingMessage, answer: ServerResponse, reach: Reach): Promise<void> {
  const url = URL.parse(incoming.url ?? '');
  const reached = await reach(url?.protocol === 'http:' ? url : null);
  if ('status' in reached || !url) {
    const refusal = 'status' in reached ? reached : { status: 400, reason: 'the address can not be read' };
    answer.writeHead(refusal.status, { connection: 'close', 'content-type': 'text/plain; charset=utf-8' });
    answer.end(refusal.reason);
    return;
  }
  if (answer.destroyed) return void reached.destroy();
  const headers = Object.fromEntries(Object.entries(incoming.headers).filter(([name]) => !hopHeaders.has(name)));
  const sent = request({
    method: incoming.method,
    path: `${url.pathname}${url.search}`,
    // The host that was checked, whatever the program called it.
    headers: { ...headers, host: url.host, connection: 'close' },
    maxHeaderSize: maxHeaderBytes,
    createConnection: () => reached,
  });
  sent.on('error', () => answer.destroy());
  answer.once('close', () => sent.destroy());
  // An upgrade that was not asked for, or nothing but informational answers.
  sent.once('close', () => void (answer.headersSent || answer.destroy()));
  sent.once('response', (response) => {
    response.once('close', () => void (response.complete || answer.destroy()));
    const back = Object.entries(response.headers).filter(([name]) => !hopHeaders.has(name));
    answer.writeHead(response.statusCode ?? 502, { ...Object.fromEntries(back), connection: 'close' });
    response.pipe(answer);
  });
  incoming.pipe(sent);
}

function open(dial: Dial, address: string, port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = dial(address, port);
    const settle = (reached: Socket | undefined): void => {
      clearTimeout(timer);
      if (!reached) socket.destroy();
      resolve(reached);
    };
    const timer = setTimeout(() => settle(undefined), connectTimeoutMs);
    socket.once('connect', () => settle(socket)).once('error', () => settle(undefined));
  });
}

function dialDirectly(address: string, port: number): Socket {
  return connect({ host: address, port });
}

/** An entry without a port is about web servers. */
function withPorts(entry: string): readonly string[] {
  if (entry === '' || entry === '*' || entry.includes('/'))
    throw new TypeError(`${JSON.stringify(entry)} is no host; write example.com, example.com:8080 or *.example.com`);
  return /:\d{1,5}$/.test(entry) ? [entry] : [`${entry}:80`, `${entry}:443`];
}
