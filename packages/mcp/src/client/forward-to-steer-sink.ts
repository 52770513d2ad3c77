import type { SteerSink } from '@haft/core';
import { cutBytes } from '../untrusted/clean-text.ts';
import { maxMessageTextBytes, type ServerMessage } from './contract/server-message.ts';

const windowMs = 60_000;
const maxMessages = 20;
/** Number of messages that are remembered, to suppress repeats. */
const maxRemembered = 100;

/** Forwards a server's notifications to a steer sink. */
export interface NotificationSteer {
  /** Returns whether the rate limit admits a message now. Counts refused messages. */
  hasRoom(): boolean;
  forward(message: ServerMessage): void;
}

/**
 * Creates the forwarding of a server's messages to a loop, as untrusted text: at most 20 a minute and 2,048 bytes each,
 * no repeats within ten minutes, no debug output. The next message states how many were dropped.
 */
export function createNotificationSteer(
  connection: string,
  sink: SteerSink,
  now: () => number = Date.now,
): NotificationSteer {
  const times: number[] = [];
  const sentAt = new Map<string, number>();
  let dropped = 0;

  const hasRoom = (): boolean => {
    const oldest = now() - windowMs;
    while (times.length > 0 && times[0]! <= oldest) times.shift();
    if (times.length < maxMessages) return true;
    dropped += 1;
    return false;
  };

  return {
    hasRoom,
    forward(message) {
      const text = describe(message);
      if (text === undefined) return;
      const time = now();
      const before = sentAt.get(text);
      if (before !== undefined && time - before < 10 * windowMs) return;
      if (!hasRoom()) return;
      sentAt.delete(text);
      sentAt.set(text, time);
      if (sentAt.size > maxRemembered) sentAt.delete(sentAt.keys().next().value ?? '');
      const more = dropped === 0 ? '' : `\n(${dropped} more were dropped)`;
      const head = `MCP server ${connection}: `;
      const room = maxMessageTextBytes - Buffer.byteLength(head + more);
      const isTaken = sink.steer(`${head}${cutBytes(text, room)}${more}`, {
        source: `mcp:${connection}`,
        trusted: false,
      });
      times.push(time);
      if (isTaken) dropped = 0;
    },
  };
}

function describe(message: ServerMessage): string | undefined {
  if (message.type === 'resource-updated') return `the resource ${message.uri} changed`;
  if (message.type === 'prompt-list-changed') return 'its prompts changed';
  if (message.type === 'resource-list-changed') return 'its resources changed';
  const { level, logger, text } = message;
  return level === 'debug' || text.trim() === '' ? undefined : `${logger === '' ? '' : `${logger}, `}${level}: ${text}`;
}
