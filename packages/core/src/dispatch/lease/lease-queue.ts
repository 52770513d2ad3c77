import type { CallQueue, Lease } from '../../contracts/calls/call-queue.ts';
import type { Footprint } from '../../contracts/permission/footprint.ts';
import { checkOptions } from '../../options/check-options.ts';
import { integerKind } from '../../options/option-kinds.ts';
import { alone, conflicts, isSameFootprint, readsAnything, touchesNothing } from './call-footprint.ts';
import { createOrderedQueue } from './ordered-queue.ts';
import { createResourceTree } from './resource-tree.ts';
import { createPosition, endPosition, type QueuePosition } from './queue-position.ts';

interface Ticket {
  readonly position: number;
  /** `planning`: the footprint is not known yet, so all later calls wait. */
  state: 'planning' | 'waiting' | 'ready' | 'running' | 'moving' | 'done';
  footprint: Footprint;
  readonly queued: QueuePosition;
  wake: (() => void) | undefined;
}

const nothing: Footprint = { reads: [], writes: [] };
/** Number of calls after which the resources of finished calls are discarded. */
const callsBetweenSweeps = 1_000;

/**
 * Creates a queue for calls that arrive one at a time. Pass the same queue with each call. Calls whose footprints
 * conflict then wait for each other, like the calls of one batch.
 *
 * @throws HaftError `INVALID_OPTION` if `maxParallel` (default 8) is not a positive integer.
 * @example
 * import { createCallQueue, createDispatcher, defineTool } from '@haft/core';
 * const ping = defineTool({ name: 'ping', description: 'Answers.', kind: 'read', execute: () => 'pong' });
 * const { dispatch } = createDispatcher({ registry: [ping] });
 * const queue = createCallQueue({ maxParallel: 2 });
 * const call = (id: string) => dispatch({ id, name: 'ping', arguments: {} }, { queue });
 * (await Promise.all([call('call_1'), call('call_2'), call('call_3')])).every(({ ok }) => ok); // => true
 */
export function createCallQueue(options: { readonly maxParallel?: number } = {}): CallQueue {
  checkOptions('createCallQueue', options, { maxParallel: integerKind({ min: 1 }) }, '{ maxParallel: 8 }');
  return createLeaseQueue(options.maxParallel ?? 8);
}

/**
 * Grants leases in call order. A call starts once no earlier unfinished call conflicts with it and fewer than
 * `maxParallel` calls run. Calls only wait for earlier or running calls, so they cannot deadlock.
 */
export function createLeaseQueue(maxParallel: number): CallQueue {
  return new LeaseQueue(maxParallel);
}

class LeaseQueue implements CallQueue {
  readonly #maxParallel: number;
  readonly #tree = createResourceTree();
  /** Calls that touch no resources, and the calls that must not overlap with them. */
  readonly #resourceless = createResourceTree();
  /** Unfinished calls, in call order. */
  readonly #open = new Set<Ticket>();
  /**
   * Calls that are not in the tree yet, in call order. They wait for an earlier call whose footprint is not known yet.
   */
  readonly #coming = createOrderedQueue<Ticket>();
  readonly #ready = createOrderedQueue<Ticket>();
  /** Calls that requested another footprint. They are rare and compared one by one. */
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
    if (this.#count % callsBetweenSweeps === 0 && this.#open.size < callsBetweenSweeps) this.#sweep();
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
    // If a call is cancelled while it waits, later calls must still wait for the calls before it.
    queued.isPassing = true;
    if (queued.waitsFor === 0) endPosition(queued);
    this.#goOn();
  }

  /** Adds calls with known footprints to the tree and starts those that are ready. */
  #goOn(): void {
    const isKnown = ({ state }: Ticket): boolean => state !== 'planning';
    for (let next = this.#coming.takeFirst(isKnown); next !== undefined; next = this.#coming.takeFirst(isKnown)) {
      if (next.state === 'done') continue;
      this.#tree.enter(next.queued, next.footprint);
      if (next.footprint === alone) this.#resourceless.enter(next.queued, alone);
      else if (touchesNothing(next.footprint)) this.#resourceless.enter(next.queued, readsAnything);
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

  #sweep(): void {
    this.#tree.sweep();
    this.#resourceless.sweep();
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

  /**
   * Checks whether a call with a new footprint may continue. It never waits for later waiting calls, because they may
   * wait for it.
   */
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

/** Waits until a ticket is woken or the signal aborts. */
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
