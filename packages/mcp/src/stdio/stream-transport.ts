import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { createJsonLineReader } from './json-lines.ts';
import { createOpenRequests } from '../flow/open-requests.ts';
import { createOutbox } from '../flow/outbox.ts';
import { createUnreadReplies, type UnreadLimits } from '../flow/unread-replies.ts';

/**
 * Creates the transport to a client over two streams, one message per line. Reads in linear time. An oversized line
 * fails only its own request, and an invalid line is reported and skipped. Closes when the input ends, the output fails
 * or the client does not read its replies.
 */
export function createStreamTransport(
  input: Readable,
  output: Writable,
  maxMessageBytes: number,
  limits: UnreadLimits = {},
): Transport {
  let isClosed = false;
  const unread = createUnreadReplies(
    {
      onFull: () => input.pause(),
      onRoom: () => void (isClosed || input.resume()),
      onStalled(reason) {
        outbox.abandon(reason);
        onError(reason);
        onEnd();
      },
    },
    limits,
  );
  const outbox = createOutbox(output, unread);
  const requests = createOpenRequests();

  const onData = (chunk: Buffer | string): void => reader.feed(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  const onError = (error: Error): void => transport.onerror?.(error);
  const onEnd = (): void => void transport.close();
  const onBroken = (error: Error): void => {
    onError(error);
    onEnd();
  };
  const reader = createJsonLineReader(maxMessageBytes, {
    onMessage(message) {
      const refusal = requests.take(message);
      // Does not use send(), which would mark the open request with the same id as answered.
      if (refusal) outbox.send(refusal).catch(onError);
      else transport.onmessage?.(message as unknown as JSONRPCMessage);
    },
    onGarbage: (sample) => onError(new Error(`a line is not a message: ${JSON.stringify(sample)}`)),
    onOversized(bytes, id) {
      const message = `a message of ${bytes} bytes exceeds the limit of ${maxMessageBytes}`;
      onError(new Error(message));
      if (id === undefined) return;
      transport.send({ jsonrpc: '2.0', id, error: { code: -32_600, message } }).catch(onError);
    },
  });

  const transport: Transport = {
    start() {
      input.on('data', onData).on('error', onError).on('end', onEnd).on('close', onEnd);
      output.on('error', onBroken);
      return Promise.resolve();
    },
    send(message) {
      if (isClosed) return Promise.reject(new Error('the client has disconnected'));
      requests.end(message);
      return outbox.send(message);
    },
    close() {
      if (isClosed) return Promise.resolve();
      isClosed = true;
      unread.stop();
      input.off('data', onData).off('end', onEnd).off('close', onEnd);
      // Leaves the stream flowing for other readers. Without other readers, lets the program end.
      if (input.listenerCount('data') === 0) input.pause();
      transport.onclose?.();
      return Promise.resolve();
    },
  };
  return transport;
}
