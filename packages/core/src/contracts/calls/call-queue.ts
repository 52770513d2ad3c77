import type { Footprint } from '../permission/footprint.ts';

/** One call's place in an order of calls. */
export interface Lease {
  /**
   * Waits until nothing before it, and nothing running, conflicts with the footprint; no longer than until the signal
   * aborts. `undefined` when there is nothing to wait for. May be asked again with another footprint.
   */
  acquire(footprint: Footprint, signal?: AbortSignal): Promise<void> | undefined;
  /** Lets the others go on. Idempotent. */
  release(): void;
}

/** An order for calls that come one by one, such as the requests to a server; made by `createCallQueue`. */
export interface CallQueue {
  /** How many calls wait or run. */
  readonly size: number;
  /** Takes the next place. The dispatcher does so for each call that is given the queue. */
  enter(): Lease;
}
