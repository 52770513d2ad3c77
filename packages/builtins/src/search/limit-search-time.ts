import type { ToolContext } from '@haft/core';

/** The maximum duration of a search, in milliseconds. */
const maxSearchMs = 30_000;

/**
 * Returns a function that decides when a search must return what it has found so far: after thirty seconds, or after
 * two thirds of the remaining time of the call.
 */
export function startSearchTime(
  context: Pick<ToolContext, 'deadline' | 'now'>,
  maxMs: number = maxSearchMs,
): () => boolean {
  const start = context.now();
  const end = start + Math.min(maxMs, ((context.deadline - start) * 2) / 3);
  return () => context.now() > end;
}
