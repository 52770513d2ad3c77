const groups = new Set<number>();
let watching = false;
const isWindows = process.platform === 'win32';

/** Whether started processes get a group of their own, so that what they start can be ended with them. */
export const canGroup: boolean = !isWindows;

/** Remembers a group to be killed when this program ends without having closed the connection. */
export function rememberGroup(pid: number): void {
  groups.add(pid);
  if (watching) return;
  watching = true;
  process.once('exit', () => {
    for (const group of groups) signalGroup(group, 'SIGKILL');
  });
}

/** Forgets a group all of whose processes are gone. */
export function forgetGroup(pid: number): void {
  groups.delete(pid);
}

/** Sends a signal to a process and everything in its group; false when nothing is left of it. */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(canGroup ? -pid : pid, signal);
    return true;
  } catch (error) {
    // Not ours to signal still means that something is there.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
