import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findCgroupParents, type CgroupParents } from './cgroup-parents.ts';
import type { LimitName, ProcessLimits } from './process-limits.ts';

/** Tested control groups, one for each command, named after its process. */
export interface ControlGroups {
  /** Returns shell text that moves the shell to a new group. It ends the shell on failure. */
  line(limits: Required<ProcessLimits>): string;
  /** Returns the limit that an ended command reached, and removes its group. */
  settle(pid: number): LimitName | null;
}

const probeMs = 5_000;
const removalPausesMs = [0, 5, 20, 100, 500] as const;

let pending: Promise<ControlGroups | undefined> | undefined;

/** Finds the control groups that commands can be put in, and tests them once. */
export function findControlGroups(): Promise<ControlGroups | undefined> {
  return (pending ??= find());
}

async function find(): Promise<ControlGroups | undefined> {
  if (process.platform !== 'linux') return undefined;
  try {
    const parents = findCgroupParents('/sys/fs/cgroup', readFileSync('/proc/self/cgroup', 'utf8'));
    if (!parents) return undefined;
    removeStaleGroups(parents);
    process.once('exit', () => removeStaleGroups(parents));
    const groups = createControlGroups(parents);
    return (await test(groups)) ? groups : undefined;
  } catch {
    return undefined;
  }
}

/** Runs a shell and checks that it is in its own group. */
function test(groups: ControlGroups): Promise<boolean> {
  const line = `${groups.line({ memoryBytes: 2 ** 30, processes: 64, fileBytes: Infinity })}cat /proc/self/cgroup`;
  return new Promise((resolve) => {
    const child = execFile('/bin/sh', ['-c', line], { timeout: probeMs, env: {} }, (error, output) => {
      const { pid = 0 } = child;
      groups.settle(pid);
      resolve(error === null && output.split('\n').some((entry) => entry.endsWith(`/${nameOf(pid)}`)));
    });
  });
}

/** Creates control groups below two directories. */
export function createControlGroups(parents: CgroupParents): ControlGroups {
  const folders = [...new Set([parents.memory, parents.pids])];
  return {
    line: ({ memoryBytes, processes }) => {
      const memory = `${quote(parents.memory)}/${nameOf('$$')}`;
      const pids = `${quote(parents.pids)}/${nameOf('$$')}`;
      const set = (value: number | string, file: string): string => `echo ${value} >${file}`;
      const sizes =
        parents.version === 1
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
        // The group of an earlier process with the same id may still exist.
        `{ mkdir ${folders.map((directory) => `${quote(directory)}/${nameOf('$$')}`).join(' ')} 2>/dev/null || :; }`,
        ...(memoryBytes === Infinity ? [] : sizes.map((step) => `{ ${step}; }`)),
        ...(processes === Infinity ? [] : [set(processes, `${pids}/pids.max`)]),
        // A thread that moves itself does not wait. To move a whole process, the kernel waits until all processors have
        // been idle.
        ...(parents.version === 1
          ? [memory, pids].map((group) => set(0, `${group}/tasks`))
          : [set('$$', `${memory}/cgroup.procs`)]),
      ];
      return `${steps.join(' && ')} || exit 126; `;
    },
    settle(pid) {
      const reached = findLimit(parents, nameOf(pid));
      void remove(folders.map((directory) => join(directory, nameOf(pid))));
      return reached;
    },
  };
}

function findLimit({ version, memory, pids }: CgroupParents, name: string): LimitName | null {
  const countOf = (directory: string, file: string, field: string): number => {
    const text = tryRead(join(directory, name, file));
    return Number(new RegExp(`^${field} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
  };
  if (countOf(memory, version === 1 ? 'memory.oom_control' : 'memory.events', 'oom_kill') > 0) return 'memory';
  return countOf(pids, 'pids.events', 'max') > 0 ? 'processes' : null;
}

/** Removes groups, with retries because the last process may leave its group a moment later. */
async function remove(folders: readonly string[]): Promise<void> {
  for (const pause of removalPausesMs) {
    if (pause > 0) await wait(pause, undefined, { ref: false });
    if (folders.map(tryRemove).every(Boolean)) return;
  }
}

function nameOf(pid: number | '$$'): string {
  return `haft-${pid}`;
}

/** Removes the groups of ended processes. Groups with processes cannot be removed. */
function removeStaleGroups(parents: CgroupParents): void {
  for (const directory of new Set([parents.memory, parents.pids]))
    for (const name of readdirSync(directory)) {
      const pid = Number(/^haft-(\d+)$/.exec(name)?.[1]);
      if (pid > 0 && !isAlive(pid)) tryRemove(join(directory, name));
    }
}

function tryRemove(directory: string): boolean {
  try {
    rmdirSync(directory);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT';
  }
}

function tryRead(path: string): string {
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
