import type { PathFilter } from './path-filter.ts';
import { takeTurns } from '../walk/take-walk-turns.ts';

/** Returns the names that pass the filter. Yields to other work between batches, and stops when the time is over. */
export async function filterNames(
  filter: Pick<PathFilter, 'takes'>,
  { below, files }: { readonly below: string; readonly files: readonly string[] },
  isOver: () => boolean,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const turns = takeTurns();
  const kept: string[] = [];
  for (const name of files) {
    if (filter.takes(below, name)) kept.push(name);
    const turn = turns.next();
    if (turn === undefined) continue;
    await turn;
    signal.throwIfAborted();
    if (isOver()) break;
  }
  return kept;
}
