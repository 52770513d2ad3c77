import type { Workspace } from '../../contracts/workspace/workspace.ts';
import { dropPromise } from '../../notify-listener.ts';

/**
 * Creates the clock of a workspace, in milliseconds since the epoch. Falls back to the system clock if that clock
 * fails.
 */
export function createClock(workspace: Workspace): () => number {
  return workspace.now === Date.now ? Date.now : () => readClock(workspace);
}

function readClock(workspace: Workspace): number {
  try {
    const now: unknown = workspace.now();
    if (typeof now === 'number' && Number.isFinite(now)) return now;
    dropPromise(now);
  } catch {
    // A broken clock must not fail a call.
  }
  return Date.now();
}
