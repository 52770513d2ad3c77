import type { PathPattern } from './path-pattern.ts';
import { takeTurns } from './take-turns.ts';

/** Keeps the paths that match, in turns: each takes little time, and there may be very many. Stops when the time is over. */
export async function matchPaths(
  pattern: PathPattern,
  paths: readonly string[],
  isOver: () => boolean,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const turns = takeTurns();
  const matching = new Set<string>();
  for (const path of paths) {
    if (pattern.matches(path)) matching.add(path);
    const turn = turns.next();
    if (turn === undefined) continue;
    await turn;
    signal.throwIfAborted();
    if (isOver()) break;
  }
  return matching;
}
