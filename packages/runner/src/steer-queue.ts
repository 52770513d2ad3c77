import type { SteerSink } from '@haft/core';
import { aNumber, checkOptions, objectOf, type OptionKind, type OptionTable } from '@haft/core/options';
import type { SteerOptions } from '@haft/core/workspace';

/** One message that waits for a loop. */
export interface SteerMessage {
  readonly text: string;
  readonly source: string;
  readonly trusted: boolean;
}

/** A {@link SteerSink} with its other end. */
export interface SteerQueue extends SteerSink {
  /** How many messages wait. */
  readonly size: number;
  /** Takes out everything that waits, oldest first. */
  drain(): readonly SteerMessage[];
  /** What waits, oldest first; it goes on waiting. */
  peek(): readonly SteerMessage[];
  /** Takes no more: `steer` answers false from now on. What waits can still be drained. */
  close(): void;
}

/** Limits of a {@link SteerQueue}. */
export interface SteerQueueOptions {
  /** Messages that may wait; default 100. */
  readonly capacity?: number;
  /** A longer message is cut, with a remark; default 20,000 UTF-16 units. */
  readonly maxCharacters?: number;
}

const table: OptionTable<SteerQueueOptions> = { capacity: aNumber({ min: 1 }), maxCharacters: aNumber({ min: 1 }) };
export const steeringKind: OptionKind<SteerQueueOptions> = objectOf<SteerQueueOptions>(table, '{ capacity: 100 }');

/**
 * Makes a queue for messages that reach a run while it works: a person's remarks, a finished background job, a
 * server's notification. The run takes them in before its next request, and goes on when some wait at its end.
 *
 * @throws HaftError `INVALID_OPTION` for limits below 1.
 */
export function createSteerQueue(options: SteerQueueOptions = {}): SteerQueue {
  checkOptions('createSteerQueue', options, table, '{ capacity: 100 }');
  const { capacity = 100, maxCharacters = 20_000 } = options;
  let waiting: SteerMessage[] = [];
  let closed = false;
  return {
    get size() {
      return waiting.length;
    },
    steer(text: string, { source = 'outside', trusted = false }: SteerOptions = {}) {
      if (closed || waiting.length >= capacity) return false;
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
