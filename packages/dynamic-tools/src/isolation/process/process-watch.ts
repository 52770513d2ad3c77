import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createProcessTree, endOnExit } from '@haft/sandbox';

const canGroup = process.platform !== 'win32';

/** Whether a plugin's process leads its own process group, so that the processes it starts can be ended with it. */
export const leadsGroup: boolean = canGroup;

/**
 * Ends the process and its descendants when this program ends for any reason, SIGKILL included, even if the process is
 * busy and never notices. The descendants are found by the channel that they inherit. Returns a function to call when the
 * process has ended: it ends the descendants that are left.
 */
export function endWithHost(pid: number): () => void {
  const tree = createProcessTree(pid, randomUUID());
  const cancel = endOnExit(tree);
  return () => {
    cancel();
    tree.signal('SIGKILL');
  };
}

/** Kills a process and everything in its group. */
export function killGroup(pid: number): void {
  try {
    process.kill(canGroup ? -pid : pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

const pageBytes = 4_096;
const maxProcesses = 200;

/** Linux reports times in hundredths of a second, regardless of the kernel's clock rate. */
const tickMs = 10;

/** The resources that a process and its descendants use. */
export interface ProcessUse {
  readonly memoryBytes: number;
  /** Processor time since the start. */
  readonly processorMs: number;
}

/**
 * Returns the resources that a process and its descendants use, or zeros if the system does not report them. A jailed
 * plugin is a grandchild; `pid` is then that of the jail.
 */
export async function useOf(pid: number): Promise<ProcessUse> {
  let memoryBytes = 0;
  let processorMs = 0;
  if (process.platform !== 'linux') return { memoryBytes, processorMs };
  const waiting = [pid];
  for (let seen = 0; waiting.length > 0 && seen < maxProcesses; seen += 1) {
    const at = waiting.pop()!;
    try {
      const [, resident = '0'] = (await readFile(`/proc/${at}/statm`, 'utf8')).split(' ');
      memoryBytes += Number(resident) * pageBytes;
      const stat = await readFile(`/proc/${at}/stat`, 'utf8');
      // The name in parentheses may contain any character. It is followed by the times of the process and of its ended
      // children.
      const times = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .slice(11, 15);
      processorMs += times.reduce((sum, ticks) => sum + Number(ticks), 0) * tickMs;
      for (const task of await readdir(`/proc/${at}/task`)) {
        const children = await readFile(`/proc/${at}/task/${task}/children`, 'utf8');
        waiting.push(...children.split(' ').filter(Boolean).map(Number));
      }
    } catch {
      // The process has ended, or the kernel denies access.
    }
  }
  return { memoryBytes, processorMs };
}
