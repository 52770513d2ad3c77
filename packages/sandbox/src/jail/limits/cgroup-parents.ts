import { accessSync, constants, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Directories in which control groups for memory and processes can be created. */
export interface CgroupParents {
  readonly version: 1 | 2;
  /** The parent directories of new groups; the same one in version 2. */
  readonly memory: string;
  readonly pids: string;
}

/**
 * Finds the control groups in which this process may create others: in version 1 below its own, in version 2 next to
 * its own, because a group with processes cannot delegate controllers.
 *
 * @param root - the mount point of control groups.
 * @param own - the content of `/proc/self/cgroup`.
 */
export function findCgroupParents(root: string, own: string): CgroupParents | undefined {
  const lines = own.split('\n').map((line) => /^\d+:([^:]*):(\/.*)$/.exec(line));
  const pathOf = (controller: string): string | undefined =>
    lines.find((found) => found?.[1]?.split(',').includes(controller) === true)?.[2];
  const first = findVersion1(root, pathOf('memory'), pathOf('pids'));
  if (first) return first;
  const unified = pathOf('');
  return unified === undefined ? undefined : findVersion2(root, unified);
}

function findVersion1(root: string, memory: string | undefined, pids: string | undefined): CgroupParents | undefined {
  if (memory === undefined || pids === undefined) return undefined;
  // In a container, the path may be that of the host and does not exist.
  const findParent = (controller: string, path: string, file: string): string | undefined =>
    [join(root, controller, path), join(root, controller)].find((directory) => isUsableParent(directory, file));
  const found = {
    memory: findParent('memory', memory, 'memory.use_hierarchy'),
    pids: findParent('pids', pids, 'cgroup.procs'),
  };
  return found.memory === undefined || found.pids === undefined
    ? undefined
    : { version: 1, memory: found.memory, pids: found.pids };
}

function findVersion2(root: string, path: string): CgroupParents | undefined {
  for (let at = path; ; at = dirname(at)) {
    const directory = join(root, at);
    if (isUsableParent(directory, 'cgroup.procs') && delegatesControllers(directory))
      return { version: 2, memory: directory, pids: directory };
    if (at === '/') return undefined;
  }
}

function delegatesControllers(directory: string): boolean {
  try {
    const handed = readFileSync(join(directory, 'cgroup.subtree_control'), 'utf8').trim().split(' ');
    return handed.includes('memory') && handed.includes('pids');
  } catch {
    return false;
  }
}

function isUsableParent(directory: string, file: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    accessSync(join(directory, file), constants.F_OK);
    return true;
  } catch {
    return false;
  }
}
