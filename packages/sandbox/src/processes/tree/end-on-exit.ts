import type { ProcessTree } from './process-tree.ts';

const running = new Set<ProcessTree>();

function killRunning(): void {
  for (const tree of running) tree.signal('SIGKILL');
}

/**
 * Kills the tree when this process exits, because commands lead their own groups and would continue. Returns a function
 * that cancels this.
 */
export function endOnExit(tree: ProcessTree): () => void {
  if (running.size === 0) process.on('exit', killRunning);
  running.add(tree);
  return () => {
    running.delete(tree);
    if (running.size === 0) process.off('exit', killRunning);
  };
}
