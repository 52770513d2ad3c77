import type { ProcessTree } from './process-tree.ts';
import { createTreeGuard } from './tree-guard.ts';

const running = new Set<ProcessTree>();
const guard = createTreeGuard();

function killRunning(): void {
  for (const tree of running) tree.signal('SIGKILL');
}

/**
 * Ends the tree when this process ends, because commands lead their own groups and would continue. On POSIX systems
 * this includes the end by a signal or a crash: a shell that watches this process then sends SIGTERM, and SIGKILL after
 * 2 s. Signals of this process are not handled. Returns a function that cancels this.
 */
export function endOnExit(tree: ProcessTree): () => void {
  if (running.size === 0) process.on('exit', killRunning);
  running.add(tree);
  guard.add(tree);
  return () => {
    running.delete(tree);
    guard.remove(tree);
    if (running.size === 0) process.off('exit', killRunning);
  };
}
