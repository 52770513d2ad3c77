import type { CallQueue } from '../contracts/call-queue.ts';
import type { Footprint } from '../contracts/footprint.ts';
import { checkOption } from '../check-option.ts';
import { conflicts } from './footprint.ts';

interface Ticket {
  /** `planning`: its footprint isn't known yet, so that everything after it waits. */
  state: 'planning' | 'waiting' | 'running' | 'done';
  footprint: Footprint;
  wake: (() => void) | undefined;
}

const unknown: Footprint = { reads: [], writes: [] };

/**
 * Makes an order for calls that come one by one: give the same queue with each call, and those whose footprints conflict
 * wait for one another, as the calls of one batch do.
 *
 * @throws HaftError `INVALID_OPTION` when `maxParallel` (default 8) is no whole number above 0.
 */
export function createCallQueue({ maxParallel = 8 }: { readonly maxParallel?: number } = {}): CallQueue {
  const isRight = Number.isInteger(maxParallel) && maxParallel > 0;
  checkOption('createCallQueue', 'maxParallel', isRight, 'a whole number above 0', maxParallel);
  return createLeaseQueue(maxParallel);
}

/**
 * Gives leases in call order: a call starts once no earlier unfinished call conflicts with it and fewer than
 * `maxParallel` run. Calls only ever wait for earlier or running ones, so that no two wait for each other.
 */
export function createLeaseQueue(maxParallel: number): CallQueue {
  /** Those that are not done, in call order. */
  const tickets: Ticket[] = [];
  const running = new Set<Ticket>();
  /** How many of those that wait touch nothing, so that they can start whatever else is going on. */
  let untouching = 0;

  const setState = (ticket: Ticket, state: Ticket['state']): void => {
    if (ticket.state === 'running') running.delete(ticket);
    if (ticket.state === 'waiting' && touchesNothing(ticket)) untouching -= 1;
    ticket.state = state;
    if (state === 'running') running.add(ticket);
    if (state === 'waiting' && touchesNothing(ticket)) untouching += 1;
  };

  /** Of the calls after it, only those that run already can be in a call's way. */
  const isFree = (ticket: Ticket, index: number): boolean => {
    for (const other of running) if (meets(other, ticket)) return false;
    for (let before = 0; before < index; before += 1) if (meets(tickets[before]!, ticket)) return false;
    return true;
  };

  /** Starts what can be started. */
  const pump = (): void => {
    let isClosed = [...running].some(touchesEverything);
    for (let index = 0; index < tickets.length && running.size < maxParallel; index += 1) {
      const ticket = tickets[index]!;
      // What is still being planned may touch anything; behind what touches everything, only what touches nothing can start.
      if (ticket.state === 'planning' || (isClosed && untouching === 0)) return;
      isClosed ||= touchesEverything(ticket);
      if (ticket.state !== 'waiting' || !isFree(ticket, index)) continue;
      setState(ticket, 'running');
      ticket.wake?.();
    }
  };

  return {
    get size() {
      return tickets.length;
    },
    enter() {
      const ticket: Ticket = { state: 'planning', footprint: unknown, wake: undefined };
      tickets.push(ticket);
      return {
        acquire(footprint, signal) {
          if (ticket.state === 'done' || signal?.aborted) return Promise.resolve();
          return new Promise((resolve) => {
            ticket.wake = () => {
              signal?.removeEventListener('abort', ticket.wake!);
              ticket.wake = undefined;
              resolve();
            };
            signal?.addEventListener('abort', ticket.wake, { once: true });
            setState(ticket, 'planning');
            ticket.footprint = footprint;
            setState(ticket, 'waiting');
            pump();
          });
        },
        release() {
          if (ticket.state === 'done') return;
          setState(ticket, 'done');
          tickets.splice(tickets.indexOf(ticket), 1);
          ticket.wake?.();
          pump();
        },
      };
    },
  };
}

function meets(other: Ticket, ticket: Ticket): boolean {
  return other !== ticket && conflicts(other.footprint, ticket.footprint);
}

function touchesNothing({ footprint }: Ticket): boolean {
  return footprint.reads.length === 0 && footprint.writes.length === 0;
}

function touchesEverything({ footprint }: Ticket): boolean {
  return footprint.writes.includes('*');
}
