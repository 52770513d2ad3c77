import { accessSync, constants, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where groups of processes can be made whose memory and number are limited. */
export interface GroupHomes {
  readonly version: 1 | 2;
  /** The folders that take a new group: of version 2 one and the same. */
  readonly memory: string;
  readonly pids: string;
}

/**
 * Finds the control groups that this process may add to: in version 1 below its own, in version 2 beside its own, since a group
 * that has processes may not hand its controllers on.
 *
 * @param root where control groups are mounted.
 * @param own what `/proc/self/cgroup` says.
 */
export function findGroupHomes(root: string, own: string): GroupHomes | undefined {
  const lines = own.split('\n').map((line) => /^\d+:([^:]*):(\/.*)$/.exec(line));
  const pathOf = (controller: string): string | undefined =>
    lines.find((found) => found?.[1]?.split(',').includes(controller) === true)?.[2];
  const first = findFirst(root, pathOf('memory'), pathOf('pids'));
  if (first) return first;
  const unified = pathOf('');
  return unified === undefined ? undefined : findSecond(root, unified);
}

function findFirst(root: string, memory: string | undefined, pids: string | undefined): GroupHomes | undefined {
  if (memory === undefined || pids === undefined) return undefined;
  // In a container the path may be that of the machine, which is not there.
  const homeOf = (controller: string, path: string, file: string): string | undefined =>
    [join(root, controller, path), join(root, controller)].find((folder) => isHome(folder, file));
  const found = {
    memory: homeOf('memory', memory, 'memory.use_hierarchy'),
    pids: homeOf('pids', pids, 'cgroup.procs'),
  };
  return found.memory === undefined || found.pids === undefined
    ? undefined
    : { version: 1, memory: found.memory, pids: found.pids };
}

function findSecond(root: string, path: string): GroupHomes | undefined {
  for (let at = path; ; at = dirname(at)) {
    const folder = join(root, at);
    if (isHome(folder, 'cgroup.procs') && handsOn(folder)) return { version: 2, memory: folder, pids: folder };
    if (at === '/') return undefined;
  }
}

function handsOn(folder: string): boolean {
  try {
    const handed = readFileSync(join(folder, 'cgroup.subtree_control'), 'utf8').trim().split(' ');
    return handed.includes('memory') && handed.includes('pids');
  } catch {
    return false;
  }
}

function isHome(folder: string, file: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    accessSync(join(folder, file), constants.F_OK);
    return true;
  } catch {
    return false;
  }
}
