import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { FetchProblem } from './fetch-problem.ts';

/** Number of bytes that a fetch may still receive, over all its connections. */
export interface ByteBudget {
  allow(bytes: number): void;
  /** Takes bytes off. Returns false if fewer are left. */
  spend(bytes: number): boolean;
}

/** Creates a budget that is empty. */
export function createByteBudget(): ByteBudget {
  let left = 0;
  return {
    allow: (bytes) => void (left += bytes),
    spend: (bytes) => (left -= bytes) >= 0,
  };
}

/** A socket of which every byte that it receives is counted, whatever a protocol above makes of the bytes. */
export interface MeteredConnection {
  /** Carries HTTP or TLS. Destroyed with the first problem of the socket. */
  readonly stream: Duplex;
  /** Number of bytes received. */
  readonly bytesRead: number;
  /** Why the connection broke off. Undefined if it is open or the peer ended it properly. */
  readonly problem: unknown;
  /** Cuts the connection. Later calls do nothing. */
  cut(problem: unknown): void;
}

/** Wraps a socket. What exceeds the budget cuts the connection with `RESPONSE_TOO_LARGE`. */
export function meterConnection(socket: Socket, budget: ByteBudget): MeteredConnection {
  let bytesRead = 0;
  let isEnded = false;
  let problem: unknown;
  const stream = new Duplex({
    allowHalfOpen: false,
    read: () => void socket.resume(),
    write: (bytes: Uint8Array, _, done) => void socket.write(bytes, done),
    final: (done) => void socket.end(done),
    destroy(error, done) {
      socket.destroy();
      done(error);
    },
  });
  const cut = (reason: unknown): void => {
    problem ??= reason;
    socket.destroy();
    stream.destroy(reason instanceof Error ? reason : new Error(String(reason)));
  };
  socket.on('data', (bytes: Uint8Array) => {
    bytesRead += bytes.length;
    if (!budget.spend(bytes.length))
      cut(new FetchProblem('RESPONSE_TOO_LARGE', 'The answer, with all that belongs to it, is larger than allowed'));
    else if (!stream.push(bytes)) socket.pause();
  });
  socket.once('end', () => {
    isEnded = true;
    stream.push(null);
  });
  socket.on('error', cut);
  socket.once('close', () => {
    if (!isEnded && !stream.destroyed) cut(new FetchProblem('FETCH_FAILED', 'The connection failed: it broke off'));
  });
  // An error that has no listener would end this process.
  stream.on('error', () => {});
  return {
    stream,
    get bytesRead() {
      return bytesRead;
    },
    get problem() {
      return problem;
    },
    cut,
  };
}
