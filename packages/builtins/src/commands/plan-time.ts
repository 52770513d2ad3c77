/** How long a command may run, and how long its processes may take to end. */
export interface TimePlan {
  readonly timeoutMs: number;
  readonly killGraceMs: number;
}

/** The maximum time limit of a command, in milliseconds. */
export const maxTimeoutMs = 600_000;

const maxGraceMs = 5_000;
const maxWindUpMs = maxGraceMs + 5_000;

/**
 * Plans the time of a command so that it ends, with its output, before the call does: a third of the time left, at most
 * ten seconds, is reserved for ending it.
 */
export function planTime(wantedMs: number, leftMs: number): TimePlan {
  const windUpMs = Math.min(maxWindUpMs, leftMs / 3);
  return {
    timeoutMs: Math.max(1, Math.min(wantedMs, Math.floor(leftMs - windUpMs))),
    killGraceMs: Math.max(1, Math.min(maxGraceMs, Math.floor(windUpMs / 2))),
  };
}
