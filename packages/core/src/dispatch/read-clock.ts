import type { Workspace } from '../contracts/workspace.ts';
import { dropPromise } from '../tell-listener.ts';

/** Milliseconds since the epoch by the clock of the workspace; by the machine's where that one fails. */
export function readClock(workspace: Workspace): number {
  try {
    const now: unknown = workspace.now();
    if (typeof now === 'number' && Number.isFinite(now)) return now;
    dropPromise(now);
  } catch {
    // A broken clock stops no call.
  }
  return Date.now();
}
