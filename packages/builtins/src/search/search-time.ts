import type { ToolContext } from '@haft/core';

/** The maximum duration of a search, in milliseconds. */
const maxSearchMs = 30_000;

/**
 * Decides when a search must return what it has: after thirty seconds, or after two thirds of the call's remaining
 * time, so that it returns a part instead of nothing.
 */
export function startSearchTime(
  context: Pick<ToolContext, 'deadline' | 'now'>,
  maxMs: number = maxSearchMs,
): () => boolean {
  const start = context.now();
  const end = start + Math.min(maxMs, ((context.deadline - start) * 2) / 3);
  return () => context.now() > end;
}
