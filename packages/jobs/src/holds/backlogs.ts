import type { Tables } from '../ledger/tables.ts';

/**
 * Number of jobs of a workspace in a queue that have tickets. The others get theirs as earlier jobs start. A workspace
 * that submits many jobs at once therefore delays those of other workspaces by this number at most.
 */
export const maxReady = 64;

/** Number of jobs of a workspace that can start, or will be able to when earlier ones have started. */
export interface Backlog {
  readonly workspace: string;
  /** Only jobs of this priority and higher ones are counted. */
  readonly priority: number;
  /** At most {@link maxReady}, and the jobs that were just submitted. */
  readonly length: number;
}

/** The members of a new job that decide when it gets its ticket. */
export interface Placeable {
  readonly queue: string;
  readonly workspace: string;
  readonly priority: number;
  readonly delayMs: number | null;
  readonly startAt: Date | null;
}

/** The condition of a job that has a place in a backlog. */
export const isInBacklog = `state = 'queued' and waiting_for is null and has_ticket is not null`;

/** An SQL expression of the length of a backlog. */
export function countBacklog({ jobs }: Tables, queue: string, workspace: string, priority: string): string {
  return `select count(*)::integer from (select 1 from ${jobs} where queue = '${queue}' and workspace = ${workspace}
    and priority >= ${priority} and ${isInBacklog} limit ${maxReady}) as found`;
}

/**
 * Remembers which workspaces have a full backlog, as their last submission from this process found. An outdated memory
 * only means that a job gets its ticket later or earlier.
 */
export class Backlogs {
  readonly #lengths = new Map<string, number>();

  /** Decides which jobs get tickets at once. Those with a delay always do. */
  place<Job extends Placeable>(jobs: readonly Job[]): readonly (Job & { readonly hasTicket: boolean | null })[] {
    const lengths = new Map<string, number>();
    return jobs.map((job) => {
      if (job.startAt !== null || (job.delayMs ?? 0) > 0) return { ...job, hasTicket: null };
      const key = keyOf(job.queue, job);
      const length = lengths.get(key) ?? this.#lengths.get(key) ?? 0;
      lengths.set(key, length + 1);
      return { ...job, hasTicket: length < maxReady };
    });
  }

  /** Remembers the lengths that a submission found. */
  note(queue: string, found: readonly Backlog[]): void {
    for (const backlog of found) {
      const key = keyOf(queue, backlog);
      if (backlog.length >= maxReady) this.#lengths.set(key, backlog.length);
      else this.#lengths.delete(key);
    }
  }
}

function keyOf(queue: string, { workspace, priority }: Pick<Backlog, 'workspace' | 'priority'>): string {
  return JSON.stringify([queue, workspace, priority]);
}
