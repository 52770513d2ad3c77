import type { CallQueue } from '../contracts/call-queue.ts';
import type { Footprint } from '../contracts/footprint.ts';
import { checkOption } from '../check-option.ts';
import { conflicts } from './footprint.ts';

interface Ticket {
  /** `planning`: its footprint isn't known yet, so that everything after it waits. */
  state: 'planning' | 'waiting' | 'running' | 'done';
  footprint: Footprint | undefined;
  wake: (() => void) | undefined;
}

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
  let running = 0;

  const pump = (): void => {
    for (const [index, ticket] of tickets.entries()) {
      if (running >= maxParallel || ticket.state === 'planning') return;
      if (ticket.state !== 'waiting') continue;
      if (tickets.some((other, position) => blocks(other, position < index, ticket))) continue;
      ticket.state = 'running';
      running += 1;
      ticket.wake?.();
    }
  };

  return {
    get size() {
      return tickets.length;
    },
    enter() {
      const ticket: Ticket = { state: 'planning', footprint: undefined, wake: undefined };
      tickets.push(ticket);
      const leave = (state: 'waiting' | 'done'): void => {
        if (ticket.state === 'running') running -= 1;
        ticket.state = state;
      };
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
            ticket.footprint = footprint;
            leave('waiting');
            pump();
          });
        },
        release() {
          if (ticket.state === 'done') return;
          leave('done');
          tickets.splice(tickets.indexOf(ticket), 1);
          ticket.wake?.();
          pump();
        },
      };
    },
  };
}

function blocks(other: Ticket, isEarlier: boolean, ticket: Ticket): boolean {
  if (other === ticket || other.state === 'done') return false;
  if (other.state === 'planning') return isEarlier;
  if (other.state === 'waiting' && !isEarlier) return false;
  return conflicts(other.footprint!, ticket.footprint!);
}
