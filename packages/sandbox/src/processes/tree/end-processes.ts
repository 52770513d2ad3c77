import { setTimeout as wait } from 'node:timers/promises';
import type { EndSignal, ProcessTree } from './process-tree.ts';

const killRounds = 40;
const shortestPauseMs = 1;
const longestPauseMs = 50;
// A list of processes is read one after the other: one that forks and ends meanwhile hides its child from a single reading.
const emptyScans = 3;

/**
 * Ends all processes of a tree: SIGTERM, or what `first` says, and after `graceMs` SIGKILL, repeated while some are left, since one that was being
 * forked escapes a single round. They count as gone once several looks in a row found none. Gives the ids of those that
 * are alive even so.
 */
export async function endProcesses(
  tree: ProcessTree,
  graceMs: number | (() => number),
  first: EndSignal = 'SIGTERM',
): Promise<readonly number[]> {
  const startedAt = performance.now();
  const isGraceOver = (): boolean =>
    performance.now() >= startedAt + (typeof graceMs === 'number' ? graceMs : graceMs());
  let empty = tree.signal(first).length === 0 ? 1 : 0;
  for (
    let pause = shortestPauseMs;
    empty < emptyScans && (empty > 0 || !isGraceOver());
    pause = empty > 0 ? shortestPauseMs : Math.min(pause * 2, longestPauseMs)
  ) {
    await wait(pause);
    // Who comes to light only now has not been told yet.
    const found = empty > 0 ? tree.signal(first) : tree.findMembers();
    empty = found.length === 0 ? empty + 1 : 0;
  }
  for (let round = 0, pause = shortestPauseMs; round < killRounds && empty < emptyScans; round += 1) {
    empty = tree.signal('SIGKILL').length === 0 ? empty + 1 : 0;
    await wait(empty > 0 ? shortestPauseMs : pause);
    pause = Math.min(pause * 2, longestPauseMs);
  }
  return empty < emptyScans ? tree.findMembers() : [];
}
