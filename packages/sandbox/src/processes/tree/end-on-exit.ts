import type { ProcessTree } from './process-tree.ts';

const running = new Set<ProcessTree>();

function killRunning(): void {
  for (const tree of running) tree.signal('SIGKILL');
}

/** Kills the tree should this process exit first: commands lead groups of their own and would go on. Gives how to call it off. */
export function endOnExit(tree: ProcessTree): () => void {
  if (running.size === 0) process.on('exit', killRunning);
  running.add(tree);
  return () => {
    running.delete(tree);
    if (running.size === 0) process.off('exit', killRunning);
  };
}
