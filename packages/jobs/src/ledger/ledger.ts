import type { Engine } from '../engine/engine.ts';
import type { Tables } from './tables.ts';
import type { TicketQueue } from './ticket-queue.ts';

/** Dependencies of the functions in this folder. */
export interface Ledger {
  readonly engine: Engine;
  readonly tables: Tables;
  readonly queue: TicketQueue;
  /** The channel on which changes are announced. */
  readonly channel: string;
}

/** Announces that a queue has a job that can start. */
export const queueSignal = 'queue:';
/** Announces that a job changed, but not that it is over. */
export const jobSignal = 'job:';
/** Announces that a job is over or unknown. */
export const endSignal = 'end:';
/** Announces that a running job should be cancelled. */
export const cancelSignal = 'cancel:';

/** Announces that a job waits for a worker with its tool. */
export const waitSignal = 'wait';

/** An SQL expression of a time in milliseconds since the epoch. */
export function milliseconds(column: string): string {
  return `(extract(epoch from ${column}) * 1000)::float8`;
}

/** An SQL expression that adds milliseconds to the database's clock. */
export function fromNow(parameter: string): string {
  return `clock_timestamp() + ${parameter}::float8 * interval '1 millisecond'`;
}
