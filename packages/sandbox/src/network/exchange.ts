import { type IncomingMessage } from 'node:http';

/** An answer whose head has arrived. Close it in any case. */
export interface Exchange {
  readonly response: IncomingMessage;
  /** Throws if the signal has aborted, or if the body ended because its connection was cut or reset. */
  assertWhole(): void;
  close(): void;
}
