import { spawn } from 'node:child_process';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

/** The environment variable that marks a process and its descendants. Nested runs append to it. */
export const markerVariable = 'HAFT_PROCESS_TREE';

/** The file descriptor that a command inherits in addition to its three streams and passes on to its children. */
export const lifelineDescriptor = 3;

/** All known processes of a command. */
export interface ProcessTree {
  /** The id of the command, which leads the group. */
  readonly leader: number;
  readonly marker: string;
  readonly isJailed: boolean;
  /** The socket at {@link lifelineDescriptor} of the command, such as `socket:[123]`. */
  readonly lifeline: string | undefined;
  /** Returns the ids of running processes, including the command itself. */
  findMembers(): number[];
  /** Sends a signal to all of them and returns the ids of those found. */
  signal(name: EndSignal): number[];
}

/** Options of {@link createProcessTree}. */
export interface ProcessTreeOptions {
  /**
   * Whether the leader runs the command in a jail with its own process namespace. The leader and the first process
   * inside receive no signals that can be handled, because all others die with them.
   */
  readonly isJailed?: boolean;
  /** The socket that the command inherited as descriptor 3, if the command may have ended. Default: read from it. */
  readonly lifeline?: string;
}

/** Signals that end processes. The first two can be handled by the process, the last cannot. */
export type EndSignal = 'SIGINT' | 'SIGTERM' | 'SIGKILL';

/**
 * Tracks the processes of a command that leads its own group.
 *
 * On Linux, a process is a member if it belongs to the group or session, has the marker in its environment, holds the
 * lifeline socket, descends from a member, or was a member before; so daemons that left group and session are found. On
 * other POSIX systems the tree is the group, on Windows that of `taskkill`.
 */
export function createProcessTree(leader: number, marker: string, options: ProcessTreeOptions = {}): ProcessTree {
  const isJailed = options.isJailed === true;
  const isLinux = process.platform === 'linux' && readStat(process.pid) !== undefined;
  const lifeline = options.lifeline ?? (isLinux ? readDescriptor(leader, String(lifelineDescriptor)) : undefined);
  const members = isLinux
    ? createLinuxTree(leader, marker, isJailed, lifeline)
    : process.platform === 'win32'
      ? createWindowsTree(leader)
      : createGroup(leader);
  return { leader, marker, isJailed, lifeline, ...members };
}

type TreeMembers = Pick<ProcessTree, 'findMembers' | 'signal'>;

const rescanMs = 50;

function createLinuxTree(leader: number, marker: string, isJailed: boolean, lifeline: string | undefined): TreeMembers {
  // By id and start time, because ids are reused.
  const known = new Set<string>();
  const leaderStartedAt = readStat(leader)?.startedAt ?? 0;
  const isMarked = ({ id, startedAt }: ProcessStat): boolean =>
    startedAt >= leaderStartedAt && (hasMarker(id, marker) || (lifeline !== undefined && holds(id, lifeline)));
  // Processes older than the command are never members. Scans that follow at once skip them by id.
  let older: ReadonlySet<number> = new Set();
  let lastScanAt = -Infinity;
  const scan = (): ProcessStat[] => {
    const now = performance.now();
    const listed = listProcesses(now - lastScanAt < rescanMs ? older : new Set());
    if (now - lastScanAt >= rescanMs)
      older = new Set(listed.filter((facts) => facts.startedAt < leaderStartedAt).map(({ id }) => id));
    lastScanAt = now;
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
      // Scanned first: once parents die, their children can no longer be found by descent.
      const members = scan();
      if (members.length === 0) return [];
      if (isJailed && name !== 'SIGKILL') {
        for (const { id } of members) if (id !== leader && !isNamespaceInit(id)) send(id, name);
        return members.map(({ id }) => id);
      }
      send(-leader, name);
      for (const { id, group } of members) if (group !== leader) send(id, name);
      return members.map(({ id }) => id);
    },
  };
}

function createGroup(leader: number): TreeMembers {
  const findMembers = (): number[] => (send(-leader, 0) ? [leader] : []);
  return {
    findMembers,
    signal: (name) => (send(-leader, name) ? [leader] : []),
  };
}

function createWindowsTree(leader: number): TreeMembers {
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

interface ProcessStat {
  readonly id: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** In clock ticks since the system started. */
  readonly startedAt: number;
  /** True if it has ended but was not reaped. */
  readonly isDead: boolean;
}

function selectMembers(alive: readonly ProcessStat[], isMember: (facts: ProcessStat) => boolean): ProcessStat[] {
  const members = new Set(alive.filter(isMember).map(({ id }) => id));
  // Children usually have higher ids than their parents, except after the counter wraps, so this repeats until nothing
  // is added.
  for (let size = -1; size !== members.size;) {
    size = members.size;
    for (const { id, parent } of alive) if (members.has(parent)) members.add(id);
  }
  return alive.filter(({ id }) => members.has(id) && id !== process.pid);
}

function listProcesses(except: ReadonlySet<number>): ProcessStat[] {
  return readdirSync('/proc').flatMap((name) => {
    const id = Number(name);
    const facts = Number.isInteger(id) && !except.has(id) ? readStat(id) : undefined;
    return facts === undefined ? [] : [facts];
  });
}

function readStat(id: number): ProcessStat | undefined {
  try {
    const text = readFileSync(`/proc/${id}/stat`, 'latin1');
    // The name in brackets may contain brackets and blanks. Fields are counted from the one after it.
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

/** Returns true if the process has id 1 in its own namespace and another id here. */
function isNamespaceInit(id: number): boolean {
  try {
    return /^NSpid:\t\d+(?:\t\d+)*\t1$/m.test(readFileSync(`/proc/${id}/status`, 'latin1'));
  } catch {
    return false;
  }
}

function identify({ id, startedAt }: ProcessStat): string {
  return `${id} ${startedAt}`;
}

function hasMarker(id: number, marker: string): boolean {
  try {
    return readFileSync(`/proc/${id}/environ`, 'latin1').includes(marker);
  } catch {
    return false;
  }
}

function holds(id: number, lifeline: string): boolean {
  try {
    // Descriptors are usually where they were inherited.
    return [String(lifelineDescriptor), ...readdirSync(`/proc/${id}/fd`)].some(
      (descriptor) => readDescriptor(id, descriptor) === lifeline,
    );
  } catch {
    return false;
  }
}

/** Returns the target of a descriptor if it is a socket, such as `socket:[123]`. Other targets are not unique. */
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
