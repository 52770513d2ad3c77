import type { Duplex } from 'node:stream';
import { isTooComplex } from './json-complexity.ts';

/** Exchanges messages over a byte stream, one JSON object per line in each direction. */
export interface LineChannel {
  /**
   * Sends a message. Returns false if the stream has ended. Throws for a value that JSON can't represent, and a
   * RangeError for a message that is too large for the receiver.
   */
  send(message: object): boolean;
  /** Number of bytes that the receiver has not read yet. */
  readonly unreadBytes: number;
  /** Processes bytes that the caller has read from the stream. The caller may overwrite them afterwards. */
  readonly feed: (chunk: Buffer) => void;
  /** Stops receiving. Buffered input is dropped. */
  stop(): void;
  /** Ends the sending direction. */
  end(): void;
}

/** Why a line is rejected. */
export type LineFault = 'not an object' | 'too long' | 'too complex';

/** Receivers of what arrives. */
export interface LineListener {
  onMessage(message: Readonly<Record<string, unknown>>, bytes: number): void;
  /**
   * Called when the other side violates the protocol. A line that is too long is reported once, as soon as the limit is
   * exceeded, and skipped to its end.
   */
  onFault(fault: LineFault): void;
  onEnd(): void;
}

/** Maximum line lengths in bytes, checked before parsing. */
export interface LineLimits {
  readonly sent: number;
  readonly received: number;
  /** Whether lines may be nested deeply and contain many values. */
  readonly isPeerTrusted: boolean;
}

const lineEnd = 0x0a;
const firstCapacity = 65_536;

/** Creates a line channel on a stream. Lines beyond the limits are neither buffered nor sent. */
export function createLineChannel(stream: Duplex, limits: LineLimits, listener: LineListener): LineChannel {
  /** Start of an incomplete line. The buffer doubles as needed, so that tiny chunks cost no more than large ones. */
  let kept: Buffer | undefined;
  let held = 0;
  let hasEnded = false;
  let isStopped = false;

  const end = (): void => {
    if (hasEnded) return;
    hasEnded = true;
    kept = undefined;
    listener.onEnd();
  };
  const keep = (chunk: Buffer, start: number, stop: number): void => {
    const before = held;
    held += stop - start;
    if (held > limits.received) {
      kept = undefined;
      if (before <= limits.received) listener.onFault('too long');
      return;
    }
    if (!kept || kept.length < held) {
      const larger = Buffer.allocUnsafeSlow(Math.max(firstCapacity, held, (kept?.length ?? 0) * 2));
      kept?.copy(larger, 0, 0, before);
      kept = larger;
    }
    chunk.copy(kept, before, start, stop);
  };
  const take = (line: string, bytes: number): void => {
    if (!limits.isPeerTrusted && isTooComplex(line)) return listener.onFault('too complex');
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      return listener.onFault('not an object');
    }
    if (typeof message !== 'object' || message === null || Array.isArray(message))
      return listener.onFault('not an object');
    listener.onMessage(message as Readonly<Record<string, unknown>>, bytes);
  };
  const feed = (chunk: Buffer): void => {
    if (hasEnded || isStopped) return;
    let start = 0;
    for (let at = chunk.indexOf(lineEnd); at >= 0; at = chunk.indexOf(lineEnd, start)) {
      if (held > 0 || at - start > limits.received) keep(chunk, start, at);
      const bytes = held > 0 ? held : at - start;
      const line = held > 0 ? kept?.toString('utf8', 0, held) : chunk.toString('utf8', start, at);
      if (held > firstCapacity) kept = undefined;
      held = 0;
      start = at + 1;
      if (bytes <= limits.received && line !== undefined) take(line, bytes);
      if (isStopped) return;
    }
    if (start < chunk.length) keep(chunk, start, chunk.length);
  };
  stream.on('data', feed);
  stream.on('error', end);
  stream.on('end', end);
  stream.on('close', end);

  return {
    send(message) {
      if (hasEnded || !stream.writable) return false;
      const line = JSON.stringify(message);
      // Most lines are far too short to need this check.
      if (line.length * 3 > limits.sent && Buffer.byteLength(line) > limits.sent)
        throw new RangeError(`a message has more than ${limits.sent} bytes`);
      stream.write(`${line}\n`);
      return true;
    },
    get unreadBytes() {
      return stream.writableLength;
    },
    feed,
    stop() {
      isStopped = true;
      kept = undefined;
    },
    end: () => void stream.end(),
  };
}
