import { type IncomingMessage } from 'node:http';

/** A response whose head has arrived. Always call `close`. */
export interface Exchange {
  readonly response: IncomingMessage;
  /** Throws if the signal has aborted, or if the body ended because its connection broke. */
  assertWhole(): void;
  close(): void;
}
