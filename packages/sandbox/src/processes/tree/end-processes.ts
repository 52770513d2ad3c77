import { setTimeout as wait } from 'node:timers/promises';
import type { EndSignal, ProcessTree } from './process-tree.ts';

const killRounds = 40;
const minPauseMs = 1;
const maxPauseMs = 50;
// A process that forks and ends during a scan hides its child from that scan.
const emptyScans = 3;

/**
 * Ends all processes of a tree: sends SIGTERM (or `first`) and after `graceMs` SIGKILL, repeatedly, because a process
 * that is being forked escapes a single round. The tree counts as ended when several scans in a row find no process.
 * Returns the ids of processes that still run.
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
    let pause = minPauseMs;
    empty < emptyScans && (empty > 0 || !isGraceOver());
    pause = empty > 0 ? minPauseMs : Math.min(pause * 2, maxPauseMs)
  ) {
    await wait(pause);
    // A process that appears only now has not received the signal yet.
    const found = empty > 0 ? tree.signal(first) : tree.findMembers();
    empty = found.length === 0 ? empty + 1 : 0;
  }
  for (let round = 0, pause = minPauseMs; round < killRounds && empty < emptyScans; round += 1) {
    empty = tree.signal('SIGKILL').length === 0 ? empty + 1 : 0;
    await wait(empty > 0 ? minPauseMs : pause);
    pause = Math.min(pause * 2, maxPauseMs);
  }
  return empty < emptyScans ? tree.findMembers() : [];
}
