import { readFileSync, readdirSync } from 'node:fs';
import { spawn } from 'node:child_process';

/** The variable that marks a process and all that descend from it. Nested runs add to it. */
export const markerVariable = 'HAFT_PROCESS_TREE';

/** All processes a command has started, as far as they can be told. */
export interface ProcessTree {
  /** The ids of those that are alive, the command itself included. */
  findMembers(): number[];
  /** Sends a signal to all of them; gives the ids of those it found. */
  signal(name: 'SIGTERM' | 'SIGKILL'): number[];
}

/**
 * Watches over the processes of a command that leads a group of its own.
 *
 * On Linux a member is whoever belongs to the group or the session, descends from the command, or carries the mark in its
 * environment: a daemon that left group and session is still found. Elsewhere on POSIX it is the group; on Windows the tree
 * by `taskkill`.
 */
export function createProcessTree(leader: number, marker: string): ProcessTree {
  if (process.platform === 'win32') return createWindowsTree(leader);
  const findMembers = (): number[] =>
    process.platform === 'linux' ? scanProcesses(leader, marker) : isGroupAlive(leader) ? [leader] : [];
  return {
    findMembers,
    signal(name) {
      send(-leader, name);
      const members = findMembers();
      for (const member of members) send(member, name);
      return members;
    },
  };
}

function createWindowsTree(leader: number): ProcessTree {
  const findMembers = (): number[] => (send(leader, 0) ? [leader] : []);
  return {
    findMembers,
    signal() {
      spawn('taskkill', ['/pid', String(leader), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on(
        'error',
        () => {},
      );
      return findMembers();
    },
  };
}

interface ProcessFacts {
  readonly id: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
}

function scanProcesses(leader: number, marker: string): number[] {
  const alive = listProcesses();
  const members = new Set(
    alive
      .filter(({ id, group, session }) => id === leader || group === leader || session === leader)
      .map(({ id }) => id),
  );
  for (const { id } of alive) if (!members.has(id) && carriesMark(id, marker)) members.add(id);
  // Parents have lower ids than children, but for a wrap of the counter: go on until a round finds nobody.
  for (let size = -1; size !== members.size;) {
    size = members.size;
    for (const { id, parent } of alive) if (members.has(parent)) members.add(id);
  }
  members.delete(process.pid);
  return [...members];
}

function listProcesses(): ProcessFacts[] {
  return readdirSync('/proc').flatMap((name) => {
    const id = Number(name);
    const facts = Number.isInteger(id) ? readFacts(id) : undefined;
    return facts === undefined ? [] : [facts];
  });
}

function readFacts(id: number): ProcessFacts | undefined {
  try {
    const text = readFileSync(`/proc/${id}/stat`, 'latin1');
    // The name in brackets may itself hold brackets and blanks.
    const [state, parent, group, session] = text.slice(text.lastIndexOf(')') + 2).split(' ', 4);
    return state === 'Z' || state === 'X'
      ? undefined
      : { id, parent: Number(parent), group: Number(group), session: Number(session) };
  } catch {
    return undefined;
  }
}

function carriesMark(id: number, marker: string): boolean {
  try {
    return readFileSync(`/proc/${id}/environ`, 'latin1').includes(marker);
  } catch {
    return false;
  }
}

function isGroupAlive(leader: number): boolean {
  return send(-leader, 0);
}

function send(id: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(id, signal);
    return true;
  } catch {
    return false;
  }
}
