import type { Workspace } from '../contracts/workspace.ts';

/** Milliseconds since the epoch by the clock of the workspace; by the machine's where that one fails. */
export function readClock(workspace: Workspace): number {
  try {
    const now = workspace.now();
    if (Number.isFinite(now)) return now;
  } catch {
    // A broken clock stops no call.
  }
  return Date.now();
}
