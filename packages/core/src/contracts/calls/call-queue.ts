import type { Footprint } from '../permission/footprint.ts';

/** The position of one call in a call queue. */
export interface Lease {
  /**
   * Waits until no earlier or running call conflicts with the footprint, or until the signal aborts. Returns
   * `undefined` if the call can start at once. Can be called again with another footprint.
   */
  acquire(footprint: Footprint, signal?: AbortSignal): Promise<void> | undefined;
  /** Releases the position so that other calls can start. Idempotent. */
  release(): void;
}

/** A queue for calls that arrive one at a time, such as requests to a server. Created by `createCallQueue`. */
export interface CallQueue {
  /** Number of calls that are waiting or running. */
  readonly size: number;
  /** Takes the next position. The dispatcher does this for each call that has this queue. */
  enter(): Lease;
}
