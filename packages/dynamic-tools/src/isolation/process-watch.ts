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

/**
 * Bytes of memory that a process and everything below it hold; `undefined` where the system does not tell. A jailed
 * plugin is a grandchild: what is asked for is the jail.
 */
export async function memoryOf(pid: number): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined;
  let total = 0;
  const waiting = [pid];
  for (let seen = 0; waiting.length > 0 && seen < maxProcesses; seen += 1) {
    const at = waiting.pop()!;
    try {
      const [, resident = '0'] = (await readFile(`/proc/${at}/statm`, 'utf8')).split(' ');
      total += Number(resident) * pageBytes;
      for (const task of await readdir(`/proc/${at}/task`)) {
        const children = await readFile(`/proc/${at}/task/${task}/children`, 'utf8');
        waiting.push(...children.split(' ').filter(Boolean).map(Number));
      }
    } catch {
      // It has ended meanwhile, or the kernel keeps it to itself.
    }
  }
  return total;
}
