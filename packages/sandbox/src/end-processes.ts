import { setTimeout as wait } from 'node:timers/promises';
import type { ProcessTree } from './process-tree.ts';

const killRounds = 40;
const shortestPauseMs = 2;
const longestPauseMs = 50;

/**
 * Ends all processes of a tree: SIGTERM, and after `graceMs` SIGKILL, repeated while some are left, since one that was being
 * forked escapes a single round. Gives the ids of those that are alive even so.
 */
export async function endProcesses(tree: ProcessTree, graceMs: number): Promise<readonly number[]> {
  if (tree.signal('SIGTERM').length === 0) return [];
  const graceEndsAt = performance.now() + graceMs;
  for (let pause = shortestPauseMs; performance.now() < graceEndsAt; pause = Math.min(pause * 2, longestPauseMs)) {
    await wait(Math.min(pause, graceMs));
    if (tree.findMembers().length === 0) return [];
  }
  for (
    let round = 0, pause = shortestPauseMs;
    round < killRounds;
    round += 1, pause = Math.min(pause * 2, longestPauseMs)
  ) {
    if (tree.signal('SIGKILL').length === 0) return [];
    await wait(pause);
  }
  return tree.findMembers();
}
