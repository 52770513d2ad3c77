import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Name of the variable that marks a server and everything that it starts. */
export const markName = 'HAFT_FIELD_MARK';

/** Returns the running processes with a mark. Linux only. */
export function findMarked(mark: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isMarked(pid, mark));
}

function isMarked(pid: number, mark: string): boolean {
  try {
    const isZombie = /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    return !isZombie && readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`${markName}=${mark}`);
  } catch {
    // It has ended, or belongs to another user.
    return false;
  }
}

/** Waits until no process has the mark. Resolves to the number that is left after the time. */
export async function countSurvivors(mark: string, timeoutMs = 6_000): Promise<number> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    const left = findMarked(mark).length;
    if (left === 0 || performance.now() > until) return left;
    await delay(50);
  }
}
