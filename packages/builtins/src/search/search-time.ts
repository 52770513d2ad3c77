import type { ToolContext } from '@haft/core';

/** The longest a whole search takes, in milliseconds. */
const longestSearchMs = 30_000;

/**
 * Tells when a search has to answer with what it has: after thirty seconds, or after two thirds of what is left of the
 * call, so that a part is told of instead of nothing.
 */
export function startSearchTime(
  context: Pick<ToolContext, 'deadline' | 'now'>,
  mostMs: number = longestSearchMs,
): () => boolean {
  const start = context.now();
  const end = start + Math.min(mostMs, ((context.deadline - start) * 2) / 3);
  return () => context.now() > end;
}
