import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findGroupHomes, type GroupHomes } from './group-homes.ts';
import type { LimitName, ProcessLimits } from './process-limits.ts';

/** Control groups that were seen to work: one for each command, named after the process that becomes it. */
export interface ControlGroups {
  /** Shell text that puts the shell, and what becomes of it, in a group of its own; it ends the shell where that fails. */
  line(limits: Required<ProcessLimits>): string;
  /** The limit that a command ran into, which has ended; its group is removed. */
  settle(pid: number): LimitName | null;
}

const probeMs = 5_000;
const removalPausesMs = [0, 5, 20, 100, 500] as const;

let finding: Promise<ControlGroups | undefined> | undefined;

/** Finds the control groups of this machine that commands can be put in; tried out, once. */
export function findControlGroups(): Promise<ControlGroups | undefined> {
  return (finding ??= find());
}

async function find(): Promise<ControlGroups | undefined> {
  if (process.platform !== 'linux') return undefined;
  try {
    const homes = findGroupHomes('/sys/fs/cgroup', readFileSync('/proc/self/cgroup', 'utf8'));
    if (!homes) return undefined;
    removeAbandoned(homes);
    process.once('exit', () => removeAbandoned(homes));
    const groups = createControlGroups(homes);
    return (await tryOut(groups)) ? groups : undefined;
  } catch {
    return undefined;
  }
}

/** A shell that is in a group of its own name where it was put. */
function tryOut(groups: ControlGroups): Promise<boolean> {
  const line = `${groups.line({ memoryBytes: 2 ** 30, processes: 64, fileBytes: Infinity })}cat /proc/self/cgroup`;
  return new Promise((resolve) => {
    const child = execFile('/bin/sh', ['-c', line], { timeout: probeMs, env: {} }, (error, said) => {
      const { pid = 0 } = child;
      groups.settle(pid);
      resolve(error === null && said.split('\n').some((entry) => entry.endsWith(`/${nameOf(pid)}`)));
    });
  });
}

/** Makes the control groups below two folders. */
export function createControlGroups(homes: GroupHomes): ControlGroups {
  const folders = [...new Set([homes.memory, homes.pids])];
  return {
    line: ({ memoryBytes, processes }) => {
      const memory = `${quote(homes.memory)}/${nameOf('$$')}`;
      const pids = `${quote(homes.pids)}/${nameOf('$$')}`;
      const set = (value: number | string, file: string): string => `echo ${value} >${file}`;
      const sizes =
        homes.version === 1
          ? [
              set(memoryBytes, `${memory}/memory.limit_in_bytes`),
              `{ ${set(memoryBytes, `${memory}/memory.memsw.limit_in_bytes`)}; } 2>/dev/null || :`,
            ]
          : [
              set(memoryBytes, `${memory}/memory.max`),
              `{ ${set(0, `${memory}/memory.swap.max`)}; } 2>/dev/null || :`,
              set(1, `${memory}/memory.oom.group`),
            ];
      const steps = [
        // One of a command that had the same number may have been left behind.
        `{ mkdir ${folders.map((folder) => `${quote(folder)}/${nameOf('$$')}`).join(' ')} 2>/dev/null || :; }`,
        ...(memoryBytes === Infinity ? [] : sizes.map((step) => `{ ${step}; }`)),
        ...(processes === Infinity ? [] : [set(processes, `${pids}/pids.max`)]),
        // A thread that moves itself waits for nobody; to move a whole process the kernel waits until all processors have been idle.
        ...(homes.version === 1
          ? [memory, pids].map((group) => set(0, `${group}/tasks`))
          : [set('$$', `${memory}/cgroup.procs`)]),
      ];
      return `${steps.join(' && ')} || exit 126; `;
    },
    settle(pid) {
      const reached = findLimit(homes, nameOf(pid));
      void remove(folders.map((folder) => join(folder, nameOf(pid))));
      return reached;
    },
  };
}

function findLimit({ version, memory, pids }: GroupHomes, name: string): LimitName | null {
  const countOf = (folder: string, file: string, field: string): number => {
    const text = readQuietly(join(folder, name, file));
    return Number(new RegExp(`^${field} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
  };
  if (countOf(memory, version === 1 ? 'memory.oom_control' : 'memory.events', 'oom_kill') > 0) return 'memory';
  return countOf(pids, 'pids.events', 'max') > 0 ? 'processes' : null;
}

/** The last process of a group may be gone a moment before the group is empty. */
async function remove(folders: readonly string[]): Promise<void> {
  for (const pause of removalPausesMs) {
    if (pause > 0) await wait(pause, undefined, { ref: false });
    if (folders.map(tryRemove).every(Boolean)) return;
  }
}

function nameOf(pid: number | '$$'): string {
  return `haft-${pid}`;
}

/** Removes the groups of processes that are no more; those with a process in them stay. */
function removeAbandoned(homes: GroupHomes): void {
  for (const folder of new Set([homes.memory, homes.pids]))
    for (const name of readdirSync(folder)) {
      const pid = Number(/^haft-(\d+)$/.exec(name)?.[1]);
      if (pid > 0 && !isAlive(pid)) tryRemove(join(folder, name));
    }
}

function tryRemove(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT';
  }
}

function readQuietly(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

function quote(path: string): string {
  return `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
