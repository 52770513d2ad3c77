/** How long a command may run, and how long what it started may take to end. */
export interface TimePlan {
  readonly timeoutMs: number;
  readonly killGraceMs: number;
}

/** The longest a command may be given, in milliseconds. */
export const longestTimeoutMs = 600_000;

const longestGraceMs = 5_000;
const longestWindUpMs = longestGraceMs + 5_000;

/**
 * Plans a command's time so that its own end, with its output, comes before the call's: of what is left of the call, a
 * third and at most ten seconds are kept for ending it.
 */
export function planTime(wantedMs: number, leftMs: number): TimePlan {
  const windUpMs = Math.min(longestWindUpMs, leftMs / 3);
  return {
    timeoutMs: Math.max(1, Math.min(wantedMs, Math.floor(leftMs - windUpMs))),
    killGraceMs: Math.max(1, Math.min(longestGraceMs, Math.floor(windUpMs / 2))),
  };
}
