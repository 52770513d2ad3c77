/** The page does not mention a shorter wait. */
const shortMs = 100;

/** Writes a duration in milliseconds: `12 ms`, `8.3 s` or `4 min`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.max(1, Math.round(ms))} ms`;
  return ms < 60_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`;
}

/** Writes how long a call took, and how long it waited before. */
export function tookText({
  durationMs = 0,
  waitedMs = 0,
}: {
  readonly durationMs?: number;
  readonly waitedMs?: number;
}): string {
  const waited = waitedMs < shortMs ? '' : `, after waiting ${durationText(waitedMs)} for an answer or for other calls`;
  return `${durationText(durationMs)}${waited}`;
}
