import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { FetchProblem } from './fetch-problem.ts';

/** The number of bytes that a fetch may still receive, over all its connections. */
export interface ByteBudget {
  allow(bytes: number): void;
  /** Subtracts bytes. Returns false if fewer are left. */
  spend(bytes: number): boolean;
}

/** Creates an empty budget. */
export function createByteBudget(): ByteBudget {
  let left = 0;
  return {
    allow: (bytes) => void (left += bytes),
    spend: (bytes) => (left -= bytes) >= 0,
  };
}

/** A socket that counts every received byte, regardless of the protocol on top. */
export interface MeteredConnection {
  /** Carries HTTP or TLS. Destroyed on the first error of the socket. */
  readonly stream: Duplex;
  /** Number of bytes received. */
  readonly bytesRead: number;
  /** The reason why the connection broke; undefined if it is open or the peer ended it properly. */
  readonly problem: unknown;
  /** Destroys the connection. Later calls do nothing. */
  cut(problem: unknown): void;
}

/** Wraps a socket. Exceeding the budget destroys the connection with `RESPONSE_TOO_LARGE`. */
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
      cut(
        new FetchProblem('RESPONSE_TOO_LARGE', 'the response, including headers and framing, is larger than allowed'),
      );
    else if (!stream.push(bytes)) socket.pause();
  });
  socket.once('end', () => {
    isEnded = true;
    stream.push(null);
  });
  socket.on('error', cut);
  socket.once('close', () => {
    if (!isEnded && !stream.destroyed)
      cut(new FetchProblem('FETCH_FAILED', 'the connection failed: it was closed early'));
  });
  // An error event without a listener would end this process.
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
