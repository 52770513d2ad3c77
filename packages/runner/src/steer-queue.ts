import type { SteerSink } from '@haft/core';
import { numberKind, checkOptions, objectOf, type OptionKind, type OptionTable } from '@haft/core/options';
import type { SteerOptions } from '@haft/core/workspace';

/** A message that waits for a run. */
export interface SteerMessage {
  readonly text: string;
  readonly source: string;
  readonly trusted: boolean;
}

/** A {@link SteerSink} with the receiving side. */
export interface SteerQueue extends SteerSink {
  /** Number of waiting messages. */
  readonly size: number;
  /** Removes and returns all waiting messages, oldest first. */
  drain(): readonly SteerMessage[];
  /** Returns all waiting messages, oldest first, without removing them. */
  peek(): readonly SteerMessage[];
  /** Closes the queue: `steer` returns false from now on. Waiting messages can still be drained. */
  close(): void;
}

/** Limits of a {@link SteerQueue}. */
export interface SteerQueueOptions {
  /** Number of waiting messages; default 100. */
  readonly maxMessages?: number;
  /** Longer messages are truncated with a note; default 20,000 UTF-16 units. */
  readonly maxCharacters?: number;
}

const table: OptionTable<SteerQueueOptions> = {
  maxMessages: numberKind({ min: 1 }),
  maxCharacters: numberKind({ min: 1 }),
};
export const steeringKind: OptionKind<SteerQueueOptions> = objectOf<SteerQueueOptions>(table, '{ maxMessages: 100 }');

/**
 * Creates a queue for messages to a running agent: the user's remarks, finished background jobs, server notifications.
 * The run adds them before its next request, and continues if some are waiting at its end.
 *
 * @throws HaftError `INVALID_OPTION` for limits below 1.
 * @example
 * import { createSteerQueue } from '@haft/runner';
 * const queue = createSteerQueue();
 * queue.steer('Use metric units.');
 * queue.size; // => 1
 */
export function createSteerQueue(options: SteerQueueOptions = {}): SteerQueue {
  checkOptions('createSteerQueue', options, table, '{ maxMessages: 100 }');
  const { maxMessages = 100, maxCharacters = 20_000 } = options;
  let waiting: SteerMessage[] = [];
  let closed = false;
  return {
    get size() {
      return waiting.length;
    },
    steer(text: string, { source = 'outside', trusted = false }: SteerOptions = {}) {
      if (closed || waiting.length >= maxMessages) return false;
      waiting.push({ text: cut(text, maxCharacters), source, trusted });
      return true;
    },
    drain() {
      const drained = waiting;
      waiting = [];
      return drained;
    },
    peek: () => [...waiting],
    close() {
      closed = true;
    },
  };
}

function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = isHighSurrogate(text.charCodeAt(limit - 1)) ? limit - 1 : limit;
  return `${text.slice(0, end)}\n[… ${text.length - end} characters left out]`;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
