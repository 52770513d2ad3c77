import type { Footprint } from '../contracts/footprint.ts';
import { conflicts } from './footprint.ts';

/** One call's place in the order of its batch. */
export interface Lease {
  /** Waits until nothing before it, and nothing running, conflicts with the footprint. May be asked again with another. */
  acquire(footprint: Footprint): Promise<void>;
  /** Lets the others go on. Idempotent. */
  release(): void;
}

interface Ticket {
  /** `planning`: its footprint isn't known yet, so that everything after it waits. */
  state: 'planning' | 'waiting' | 'running' | 'done';
  footprint: Footprint | undefined;
  wake: (() => void) | undefined;
}

/**
 * Gives leases in call order: a call starts once no earlier unfinished call conflicts with it and fewer than
 * `maxParallel` run. Calls only ever wait for earlier or running ones, so that no two wait for each other.
 */
export function createLeaseQueue(maxParallel: number): () => Lease {
  const tickets: Ticket[] = [];

  const pump = (): void => {
    let running = tickets.filter((ticket) => ticket.state === 'running').length;
    for (const [index, ticket] of tickets.entries()) {
      if (ticket.state !== 'waiting' || running >= maxParallel) continue;
      if (tickets.some((other, position) => blocks(other, position < index, ticket))) continue;
      ticket.state = 'running';
      running += 1;
      ticket.wake?.();
      ticket.wake = undefined;
    }
  };

  return () => {
    const ticket: Ticket = { state: 'planning', footprint: undefined, wake: undefined };
    tickets.push(ticket);
    return {
      acquire(footprint) {
        if (ticket.state === 'done') return Promise.resolve();
        return new Promise((resolve) => {
          ticket.footprint = footprint;
          ticket.state = 'waiting';
          ticket.wake = resolve;
          pump();
        });
      },
      release() {
        if (ticket.state === 'done') return;
        ticket.state = 'done';
        ticket.wake?.();
        pump();
      },
    };
  };
}

function blocks(other: Ticket, isEarlier: boolean, ticket: Ticket): boolean {
  if (other === ticket || other.state === 'done') return false;
  if (other.state === 'planning') return isEarlier;
  if (other.state === 'waiting' && !isEarlier) return false;
  return conflicts(other.footprint!, ticket.footprint!);
}
