import { listBacklogs, refillBacklog, type BacklogName } from './refill-backlogs.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Coalescer } from '../engine/coalesce-work.ts';

/** Gives tickets to jobs of workspaces that have more jobs than tickets. */
export interface BacklogRefills {
  /** Looks for backlogs with jobs that have no ticket yet, and refills them. */
  find(): Promise<void>;
  /** Refills the backlogs from which jobs were taken. */
  taken(jobs: readonly BacklogName[]): void;
}

/** Refills the backlogs of some queues. */
export function createBacklogRefills(
  ledger: Ledger,
  queues: readonly string[],
  { coalesce }: Pick<Coalescer, 'coalesce'>,
): BacklogRefills {
  const refills = new Map<string, () => Promise<void>>();
  const keyOf = ({ queue, workspace }: BacklogName): string => JSON.stringify([queue, workspace]);
  return {
    async find() {
      for (const { queue, workspace } of await listBacklogs(ledger, queues)) {
        const key = keyOf({ queue, workspace });
        const refill =
          refills.get(key) ??
          coalesce('refilling a backlog', async () => {
            if (!(await refillBacklog(ledger, { queue, workspace }))) refills.delete(key);
          });
        refills.set(key, refill);
        await refill();
      }
    },
    taken(jobs) {
      for (const key of new Set(jobs.map(keyOf))) void refills.get(key)?.();
    },
  };
}
