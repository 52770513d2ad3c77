import type { CallQueue, Lease } from '../../contracts/calls/call-queue.ts';
import type { Footprint } from '../../contracts/permission/footprint.ts';
import { checkOptions } from '../../options/check-options.ts';
import { anInteger } from '../../options/option-kinds.ts';
import { conflicts, isSameFootprint } from './footprint.ts';
import { createOrderedQueue } from './ordered-queue.ts';
import { createResourceTree } from './resource-tree.ts';
import { createPosition, endPosition, type QueuePosition } from './queue-position.ts';

interface Ticket {
  readonly position: number;
  /** `planning`: what it touches isn't known yet, so that everything after it waits. */
  state: 'planning' | 'waiting' | 'ready' | 'running' | 'moving' | 'done';
  footprint: Footprint;
  readonly queued: QueuePosition;
  wake: (() => void) | undefined;
}

const nothing: Footprint = { reads: [], writes: [] };
/** Calls after which a queue forgets what those before them touched. */
const callsBetweenSweeps = 1_000;

/**
 * Makes an order for calls that come one by one: give the same queue with each call, and those whose footprints conflict
 * wait for one another, as the calls of one batch do.
 *
 * @throws HaftError `INVALID_OPTION` when `maxParallel` (default 8) is no whole number above 0.
 */
export function createCallQueue(options: { readonly maxParallel?: number } = {}): CallQueue {
  checkOptions('createCallQueue', options, { maxParallel: anInteger({ min: 1 }) }, '{ maxParallel: 8 }');
  return createLeaseQueue(options.maxParallel ?? 8);
}

/**
 * Gives leases in call order: a call starts once no earlier unfinished call conflicts with it and fewer than
 * `maxParallel` run. Calls only ever wait for earlier or running ones, so that no two wait for each other.
 */
export function createLeaseQueue(maxParallel: number): CallQueue {
  return new LeaseQueue(maxParallel);
}

class LeaseQueue implements CallQueue {
  readonly #maxParallel: number;
  readonly #tree = createResourceTree();
  /** Those that are not done, in call order. */
  readonly #open = new Set<Ticket>();
  /** Those that are not known to the tree yet, in call order: behind one that is planning, all wait. */
  readonly #coming = createOrderedQueue<Ticket>();
  readonly #ready = createOrderedQueue<Ticket>();
  /** Those that asked again with another footprint: few, if any, and compared one by one. */
  readonly #moved = new Set<Ticket>();
  #count = 0;
  #running = 0;

  constructor(maxParallel: number) {
    this.#maxParallel = maxParallel;
  }

  get size(): number {
    return this.#open.size;
  }

  enter(): Lease {
    const queued = createPosition(() => this.#free(ticket));
    const ticket: Ticket = { position: this.#count, state: 'planning', footprint: nothing, queued, wake: undefined };
    this.#count += 1;
    if (this.#count % callsBetweenSweeps === 0 && this.#open.size < callsBetweenSweeps) this.#tree.sweep();
    this.#open.add(ticket);
    this.#coming.add(ticket);
    return {
      acquire: (footprint, signal) => this.#acquire(ticket, footprint, signal),
      release: () => this.#release(ticket),
    };
  }

  #acquire(ticket: Ticket, footprint: Footprint, signal: AbortSignal | undefined): Promise<void> | undefined {
    if (ticket.state === 'done' || signal?.aborted) return undefined;
    if (ticket.state === 'running') {
      if (isSameFootprint(footprint, ticket.footprint)) return undefined;
      this.#running -= 1;
      ticket.state = 'moving';
      this.#moved.add(ticket);
    } else if (ticket.state === 'planning') {
      ticket.state = 'waiting';
    }
    ticket.footprint = footprint;
    this.#goOn();
    return isRunning(ticket) ? undefined : waitFor(ticket, signal);
  }

  #release(ticket: Ticket): void {
    const { state, queued } = ticket;
    if (state === 'done') return;
    if (state === 'running') this.#running -= 1;
    if (state === 'ready') this.#ready.remove(ticket);
    ticket.state = 'done';
    this.#open.delete(ticket);
    this.#moved.delete(ticket);
    ticket.wake?.();
    // One that gives up before it may start lets those after it go on no sooner than it could have gone on itself.
    queued.isPassing = true;
    if (queued.waitsFor === 0) endPosition(queued);
    this.#goOn();
  }

  /** Lets in those whose footprint is known now, and starts those that may. */
  #goOn(): void {
    const isKnown = ({ state }: Ticket): boolean => state !== 'planning';
    for (let next = this.#coming.takeFirst(isKnown); next !== undefined; next = this.#coming.takeFirst(isKnown)) {
      if (next.state === 'done') continue;
      this.#tree.enter(next.queued, next.footprint);
      if (next.queued.waitsFor === 0) this.#free(next);
    }
    for (const ticket of this.#moved) {
      if (ticket.state === 'moving' && this.#running < this.#maxParallel && this.#mayMove(ticket)) this.#start(ticket);
    }
    const mayStart = this.#moved.size === 0 ? undefined : (ticket: Ticket) => !this.#isHeldUp(ticket);
    while (this.#running < this.#maxParallel) {
      const next = this.#ready.take(mayStart);
      if (next === undefined) return;
      this.#start(next);
    }
  }

  #free(ticket: Ticket): void {
    ticket.state = 'ready';
    this.#ready.add(ticket);
  }

  #start(ticket: Ticket): void {
    ticket.state = 'running';
    this.#running += 1;
    ticket.wake?.();
  }

  /** Whether a call that asked again may go on: it waits for no later ones that wait, since these may wait for it. */
  #mayMove(ticket: Ticket): boolean {
    for (const other of this.#open) if (standsInTheWay(other, ticket)) return false;
    return true;
  }

  #isHeldUp(ticket: Ticket): boolean {
    for (const other of this.#moved) if (standsInTheWay(other, ticket)) return true;
    return false;
  }
}

function isRunning({ state }: Ticket): boolean {
  return state === 'running';
}

/** Waits until a ticket is woken, or the signal aborts. */
function waitFor(ticket: Ticket, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      signal?.removeEventListener('abort', wake);
      ticket.wake = undefined;
      resolve();
    };
    ticket.wake = wake;
    signal?.addEventListener('abort', wake, { once: true });
  });
}

function standsInTheWay(other: Ticket, ticket: Ticket): boolean {
  if (other === ticket || other.state === 'done' || other.state === 'planning') return false;
  const goesFirst = other.state === 'running' || other.position < ticket.position;
  return goesFirst && conflicts(other.footprint, ticket.footprint);
}
