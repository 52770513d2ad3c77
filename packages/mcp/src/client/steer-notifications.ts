import type { SteerSink } from '@haft/core';
import { cutBytes } from '../untrusted/clean-text.ts';
import { maxMessageTextBytes, type ServerMessage } from './contract/server-message.ts';

const windowMs = 60_000;
const maxMessages = 20;
/** Messages that are remembered so that the same one isn't sentAt twice. */
const maxRemembered = 100;

/** Passes on what servers forward. */
export interface NotificationSteer {
  /** Whether a message would be taken now; what isn't need not be read. Counts what it refuses. */
  hasRoom(): boolean;
  forward(message: ServerMessage): void;
}

/**
 * Makes what puts a server's messages into a loop, as untrusted text: at most 20 a minute and 2,048 bytes each, never the same
 * one twice in ten minutes, no debugging output. What is left out is counted in the next one.
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
      const more = dropped === 0 ? '' : `\n(${dropped} more were left out)`;
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
  if (message.type === 'resource-updated') return `the resource ${message.uri} has changed`;
  if (message.type === 'prompt-list-changed') return 'its prompts have changed';
  if (message.type === 'resource-list-changed') return 'its resources have changed';
  const { level, logger, text } = message;
  return level === 'debug' || text.trim() === '' ? undefined : `${logger === '' ? '' : `${logger}, `}${level}: ${text}`;
}
