import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

import { createNetworkGuard, guardedFetch, type GuardedFetchOptions } from '@haft/sandbox';

import type { AttackGround } from '../../attack.ts';

/** A server on loopback that writes raw bytes. */
export interface HostileServer {
  /** Options that resolve every name to the server, although the guard considers the names public. */
  readonly access: Pick<GuardedFetchOptions, 'guard'> & Required<Pick<GuardedFetchOptions, 'dial'>>;
  /** Bytes that connections of the client have received. */
  received(): number;
  /** Connections of the client that are still open. */
  open(): number;
  fetch(options?: Partial<GuardedFetchOptions>, url?: string): ReturnType<typeof guardedFetch>;
}

/** Starts a server. `answer` is called for each connection when the first bytes of a request have come. */
export async function startHostileServer(
  ground: AttackGround,
  answer: (socket: Socket, request: string) => void,
): Promise<HostileServer> {
  const accepted = new Set<Socket>();
  const server = createServer((socket) => {
    accepted.add(socket);
    socket.on('error', () => {});
    socket.once('data', (bytes) => answer(socket, bytes.toString('latin1')));
  });
  ground.onEnd(() => {
    server.close();
    for (const socket of accepted) socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const dialled: Socket[] = [];
  const access = {
    guard: createNetworkGuard({ resolve: () => Promise.resolve(['93.184.215.14']) }),
    dial() {
      const socket = connect({ host: '127.0.0.1', port });
      dialled.push(socket);
      return socket;
    },
  };
  return {
    access,
    received: () => dialled.reduce((sum, socket) => sum + socket.bytesRead, 0),
    open: () => dialled.filter((socket) => !socket.destroyed).length,
    fetch: (options, url = 'http://hostile.example/') => guardedFetch(url, { ...access, ...options }),
  };
}

/** Writes a head, and then a text repeatedly, as fast as the client reads. */
export function flood(head: string | Uint8Array, unit: string | Uint8Array): (socket: Socket) => void {
  const bytes = Buffer.from(unit);
  const block = Buffer.alloc(Math.ceil(65_536 / bytes.length) * bytes.length, bytes);
  return (socket) => {
    const write = (): void => {
      while (!socket.destroyed && socket.write(block));
      if (!socket.destroyed) socket.once('drain', write);
    };
    socket.write(head);
    write();
  };
}

/** Writes a head, then a little every ten milliseconds. */
export function trickle(
  head: string | Uint8Array,
  unit: (index: number) => string | Uint8Array,
): (socket: Socket) => void {
  return (socket) => {
    let index = 0;
    socket.write(head);
    const timer = setInterval(() => socket.write(unit(index++)), 10);
    socket.once('close', () => clearInterval(timer));
  };
}
