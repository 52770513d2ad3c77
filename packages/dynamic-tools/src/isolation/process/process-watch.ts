import { readdir, readFile } from 'node:fs/promises';

const groups = new Set<number>();
const canGroup = process.platform !== 'win32';
let isWatching = false;

/** Whether a plugin's process leads a group of its own, so that what it starts ends with it. */
export const leadsGroup: boolean = canGroup;

/** Sees to it that the process ends when this program does, however busy it is. Gives how to call that off. */
export function endWithHost(pid: number): () => void {
  if (!isWatching) {
    isWatching = true;
    process.once('exit', () => groups.forEach(killGroup));
  }
  groups.add(pid);
  return () => void groups.delete(pid);
}

/** Kills a process and everything in its group. */
export function killGroup(pid: number): void {
  try {
    process.kill(canGroup ? -pid : pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}

const pageBytes = 4_096;
const maxProcesses = 200;

/** Linux tells of times in hundredths of a second, whatever its own clock is. */
const tickMs = 10;

/** What a process and everything below it take. */
export interface ProcessUse {
  readonly memoryBytes: number;
  /** Time of processors so far. */
  readonly processorMs: number;
}

/**
 * What a process and everything below it take; nothing where the system does not tell. A jailed plugin is a grandchild: what is
 * asked for is the jail.
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
      // The name in brackets may hold anything. Behind it the times of the process and of its children that have ended.
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
      // It has ended meanwhile, or the kernel keeps it to itself.
    }
  }
  return { memoryBytes, processorMs };
}
