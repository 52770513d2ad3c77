import { spawn } from 'node:child_process';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

/** The variable that marks a process and all that descend from it. Nested runs add to it. */
export const markerVariable = 'HAFT_PROCESS_TREE';

/** The file descriptor that a command inherits besides its three streams, and hands on to all that it starts. */
export const lifelineDescriptor = 3;

/** All processes a command has started, as far as they can be told. */
export interface ProcessTree {
  /** The ids of those that are alive, the command itself included. */
  findMembers(): number[];
  /** Sends a signal to all of them; gives the ids of those it found. */
  signal(name: EndSignal): number[];
}

/** What is known of a tree. */
export interface ProcessTreeOptions {
  /**
   * The leader keeps the command in a jail with processes of its own: it and the first process in there are not told by signals
   * that may be answered, since all the others die with them.
   */
  readonly isJailed?: boolean;
}

/** What ends processes: the first two may be answered, the last may not. */
export type EndSignal = 'SIGINT' | 'SIGTERM' | 'SIGKILL';

/**
 * Watches over the processes of a command that leads a group of its own, from its start.
 *
 * On Linux a member is whoever belongs to the group or the session, carries the mark in its environment, holds the lifeline,
 * descends from a member, or has been found to be one before: a daemon that left group and session is still known. Elsewhere on POSIX it is
 * the group; on Windows the tree by `taskkill`.
 */
export function createProcessTree(leader: number, marker: string, options: ProcessTreeOptions = {}): ProcessTree {
  if (process.platform === 'linux' && readFacts(process.pid) !== undefined)
    return createLinuxTree(leader, marker, options.isJailed === true);
  return process.platform === 'win32' ? createWindowsTree(leader) : createGroup(leader);
}

const momentMs = 50;

function createLinuxTree(leader: number, marker: string, isJailed: boolean): ProcessTree {
  // By id and start: an id alone may by now be somebody else's.
  const known = new Set<string>();
  const bornAt = readFacts(leader)?.startedAt ?? 0;
  const lifeline = readDescriptor(leader, String(lifelineDescriptor));
  const isMarked = ({ id, startedAt }: ProcessFacts): boolean =>
    startedAt >= bornAt && (carriesMark(id, marker) || (lifeline !== undefined && holds(id, lifeline)));
  // Nobody older than the command is of it. Their ids stay theirs for a moment: looks that follow at once pass them over.
  let older: ReadonlySet<number> = new Set();
  let sniffedBytes = -Infinity;
  const scan = (): ProcessFacts[] => {
    const now = performance.now();
    const listed = listProcesses(now - sniffedBytes < momentMs ? older : new Set());
    if (now - sniffedBytes >= momentMs)
      older = new Set(listed.filter((facts) => facts.startedAt < bornAt).map(({ id }) => id));
    sniffedBytes = now;
    const alive = listed.filter(({ isDead }) => !isDead);
    const members = selectMembers(alive, (facts) => {
      const isOfGroup = facts.id === leader || facts.group === leader || facts.session === leader;
      return isOfGroup || known.has(identify(facts)) || isMarked(facts);
    });
    for (const member of members) known.add(identify(member));
    return members;
  };
  return {
    findMembers: () => scan().map(({ id }) => id),
    signal(name) {
      // Looked up first: once parents die, their children can no longer be told by descent.
      const members = scan();
      if (members.length === 0) return [];
      if (isJailed && name !== 'SIGKILL') {
        for (const { id } of members) if (id !== leader && !isFirstOfJail(id)) send(id, name);
        return members.map(({ id }) => id);
      }
      send(-leader, name);
      for (const { id, group } of members) if (group !== leader) send(id, name);
      return members.map(({ id }) => id);
    },
  };
}

function createGroup(leader: number): ProcessTree {
  const findMembers = (): number[] => (send(-leader, 0) ? [leader] : []);
  return {
    findMembers,
    signal: (name) => (send(-leader, name) ? [leader] : []),
  };
}

function createWindowsTree(leader: number): ProcessTree {
  const findMembers = (): number[] => (send(leader, 0) ? [leader] : []);
  return {
    findMembers,
    signal() {
      const members = findMembers();
      if (members.length === 0) return [];
      spawn('taskkill', ['/pid', String(leader), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on(
        'error',
        () => {},
      );
      return members;
    },
  };
}

interface ProcessFacts {
  readonly id: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** In ticks since the system started. */
  readonly startedAt: number;
  /** It has ended, though nobody has asked how. */
  readonly isDead: boolean;
}

function selectMembers(alive: readonly ProcessFacts[], isMember: (facts: ProcessFacts) => boolean): ProcessFacts[] {
  const members = new Set(alive.filter(isMember).map(({ id }) => id));
  // Children mostly have higher ids than their parents, but for a wrap of the counter: until a round finds nobody.
  for (let size = -1; size !== members.size;) {
    size = members.size;
    for (const { id, parent } of alive) if (members.has(parent)) members.add(id);
  }
  return alive.filter(({ id }) => members.has(id) && id !== process.pid);
}

function listProcesses(except: ReadonlySet<number>): ProcessFacts[] {
  return readdirSync('/proc').flatMap((name) => {
    const id = Number(name);
    const facts = Number.isInteger(id) && !except.has(id) ? readFacts(id) : undefined;
    return facts === undefined ? [] : [facts];
  });
}

function readFacts(id: number): ProcessFacts | undefined {
  try {
    const text = readFileSync(`/proc/${id}/stat`, 'latin1');
    // The name in brackets may itself hold brackets and blanks. Fields are counted from the one after it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state, parent, group, session] = fields;
    return {
      id,
      parent: Number(parent),
      group: Number(group),
      session: Number(session),
      startedAt: Number(fields[19]),
      isDead: state === 'Z' || state === 'X',
    };
  } catch {
    return undefined;
  }
}

/** Whether it has the number 1 where it lives, and another here. */
function isFirstOfJail(id: number): boolean {
  try {
    return /^NSpid:\t\d+(?:\t\d+)*\t1$/m.test(readFileSync(`/proc/${id}/status`, 'latin1'));
  } catch {
    return false;
  }
}

function identify({ id, startedAt }: ProcessFacts): string {
  return `${id} ${startedAt}`;
}

function carriesMark(id: number, marker: string): boolean {
  try {
    return readFileSync(`/proc/${id}/environ`, 'latin1').includes(marker);
  } catch {
    return false;
  }
}

function holds(id: number, lifeline: string): boolean {
  try {
    // Mostly it is where it was inherited.
    return [String(lifelineDescriptor), ...readdirSync(`/proc/${id}/fd`)].some(
      (descriptor) => readDescriptor(id, descriptor) === lifeline,
    );
  } catch {
    return false;
  }
}

/** What a descriptor of a process is, such as `socket:[123]`. Only sockets are told apart by that from all others. */
function readDescriptor(id: number, descriptor: string): string | undefined {
  try {
    const target = readlinkSync(`/proc/${id}/fd/${descriptor}`);
    return target.startsWith('socket:') ? target : undefined;
  } catch {
    return undefined;
  }
}

function send(id: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(id, signal);
    return true;
  } catch {
    return false;
  }
}
