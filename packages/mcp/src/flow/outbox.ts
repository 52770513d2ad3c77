import type { Writable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { McpError } from '../mcp-error.ts';
import type { UnreadReplies } from './unread-replies.ts';

/** Sends messages to a peer over a stream, one per line. */
export interface Outbox {
  /** Resolves when the stream has accepted the message. Rejects when writing fails or the peer has stopped reading. */
  send(message: JSONRPCMessage): Promise<void>;
  /** Drops queued messages when the connection is closed because the peer does not read. */
  abandon(reason: Error): void;
}

interface Waiting {
  readonly text: string;
  /** Called with an error if writing failed. */
  readonly end: (error?: Error) => void;
}

/** Characters per write. With small writes, a slow reader can be distinguished from one that has stopped. */
const maxChunk = 64 * 1024;
/** Queued messages before notifications are dropped. */
const maxQueued = 1_000;
/** Notifications that may be dropped. */
const dispensable: ReadonlySet<string> = new Set(['notifications/progress', 'notifications/message']);

/**
 * Creates the outbox of a stream. For a peer that does not read, it drops progress and log notifications, and sends
 * identical notifications once.
 */
export function createOutbox(output: Writable, unread: UnreadReplies): Outbox {
  let queue: Waiting[] = [];
  let isWriting = false;
  /** Queued notifications, by text. */
  const notifications = new Set<string>();

  const write = async (chunk: string | Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => output.write(chunk, (error) => (error ? reject(error) : resolve())));
  const writeLine = async (text: string): Promise<void> => {
    if (text.length <= maxChunk) return write(text);
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.byteLength; at += maxChunk) await write(bytes.subarray(at, at + maxChunk));
  };
  const takeBatch = (): Waiting[] => {
    let count = 0;
    for (let size = 0; count < queue.length; count += 1) {
      size += queue[count]!.text.length;
      if (size > maxChunk && count > 0) break;
    }
    return queue.splice(0, count);
  };
  const drain = async (): Promise<void> => {
    isWriting = true;
    while (queue.length > 0) {
      const batch = takeBatch();
      try {
        await writeLine(batch.length === 1 ? batch[0]!.text : batch.map(({ text }) => text).join(''));
        for (const { end } of batch) end();
      } catch (error) {
        const rejected = [...batch, ...queue];
        queue = [];
        for (const { end } of rejected) end(error as Error);
      }
    }
    isWriting = false;
  };

  return {
    send(message) {
      if (unread.stalled) return Promise.reject(unread.stalled);
      const { method, id } = message as { readonly method?: string; readonly id?: unknown };
      const isNotification = method !== undefined && id === undefined;
      const text = `${JSON.stringify(message)}\n`;
      if (isNotification && isWriting && queue.length > maxQueued) {
        if (dispensable.has(method) || notifications.has(text)) return Promise.resolve();
        notifications.add(text);
      }
      if (method !== undefined && !unread.hasRoom)
        return Promise.reject(new McpError('PEER_STALLED', 'the peer has not read the messages sent so far'));
      const done = unread.add(text.length, method === undefined);
      if (unread.stalled) {
        done();
        return Promise.reject(unread.stalled);
      }
      return new Promise<void>((resolve, reject) => {
        const end = (error?: Error): void => {
          done();
          if (isNotification) notifications.delete(text);
          if (error) reject(error);
          else resolve();
        };
        queue.push({ text, end });
        if (!isWriting) void drain();
      });
    },
    abandon(reason) {
      const rejected = queue;
      queue = [];
      for (const { end } of rejected) end(reason);
    },
  };
}
