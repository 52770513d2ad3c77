/** The time limit of a command, and the time that its processes get to end. */
export interface TimePlan {
  readonly timeoutMs: number;
  readonly killGraceMs: number;
}

/** The maximum time limit of a command, in milliseconds. */
export const maxTimeoutMs = 600_000;

const maxGraceMs = 5_000;
const maxWindUpMs = maxGraceMs + 5_000;

/**
 * Plans the time limit of a command so that the command ends before the call does, and its output can be returned. A
 * third of the remaining time, at most ten seconds, is reserved for ending the processes.
 */
export function planTime(wantedMs: number, leftMs: number): TimePlan {
  const windUpMs = Math.min(maxWindUpMs, leftMs / 3);
  return {
    timeoutMs: Math.max(1, Math.min(wantedMs, Math.floor(leftMs - windUpMs))),
    killGraceMs: Math.max(1, Math.min(maxGraceMs, Math.floor(windUpMs / 2))),
  };
}
