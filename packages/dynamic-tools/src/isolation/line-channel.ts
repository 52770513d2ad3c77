import type { Duplex } from 'node:stream';

/** Messages over a stream of bytes, one JSON object a line, both ways. */
export interface LineChannel {
  /** Throws for what JSON can't tell, and a RangeError for what the other side would not take; false when the stream has ended. */
  send(message: object): boolean;
  /** Takes bytes that somebody else has read from the stream, and may write over afterwards. */
  readonly feed: (chunk: Buffer) => void;
  /** Ends our side. */
  end(): void;
}

/** Who hears what comes. */
export interface LineListener {
  onMessage(message: Readonly<Record<string, unknown>>, bytes: number): void;
  /** A line that is no object, or longer than allowed; the other side does not keep to the protocol. */
  onGarbage(): void;
  onEnd(): void;
}

const lineEnd = 0x0a;

/** Makes a channel of a stream. No line longer than `maxBytes` is kept in memory, or sent. */
export function createLineChannel(stream: Duplex, maxBytes: number, listener: LineListener): LineChannel {
  let parts: Buffer[] = [];
  let held = 0;
  let hasEnded = false;

  const end = (): void => {
    if (hasEnded) return;
    hasEnded = true;
    listener.onEnd();
  };
  const take = (line: string, bytes: number): void => {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      return listener.onGarbage();
    }
    if (typeof message !== 'object' || message === null || Array.isArray(message)) return listener.onGarbage();
    listener.onMessage(message as Readonly<Record<string, unknown>>, bytes);
  };
  const feed = (chunk: Buffer): void => {
    let start = 0;
    for (let at = chunk.indexOf(lineEnd); at >= 0; at = chunk.indexOf(lineEnd, start)) {
      const bytes = held + at - start;
      const isWhole = parts.length === 0;
      const whole = isWhole || bytes > maxBytes ? chunk : Buffer.concat([...parts, chunk.subarray(start, at)]);
      const line = bytes > maxBytes ? '' : whole.toString('utf8', isWhole ? start : 0, isWhole ? at : bytes);
      parts = [];
      held = 0;
      start = at + 1;
      if (bytes > maxBytes) listener.onGarbage();
      else take(line, bytes);
    }
    if (start === chunk.length) return;
    held += chunk.length - start;
    // Too long already: it is counted to its end and not kept.
    if (held <= maxBytes) parts.push(Buffer.from(chunk.subarray(start)));
    else parts = [];
  };
  stream.on('data', feed);
  stream.on('error', end);
  stream.on('end', end);
  stream.on('close', end);

  return {
    send(message) {
      if (hasEnded || !stream.writable) return false;
      const line = JSON.stringify(message);
      // Most are far too short to be measured.
      if (line.length * 3 > maxBytes && Buffer.byteLength(line) > maxBytes)
        throw new RangeError(`a message has more than ${maxBytes} bytes`);
      stream.write(`${line}\n`);
      return true;
    },
    feed,
    end: () => void stream.end(),
  };
}
