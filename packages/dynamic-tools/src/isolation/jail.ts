import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** What a process may see of the machine. */
export interface JailView {
  /** Files and folders that may be read. */
  readonly read: readonly string[];
  /** Files and folders that may be written. */
  readonly write: readonly string[];
  readonly network: boolean;
}

/** A program with its arguments. */
export interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

/** What Linux programs need of the system: nothing of it belongs to a person. */
const system: readonly string[] = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/etc/ld.so.cache',
  '/etc/alternatives',
];
/** What is needed besides to reach the network by names. */
const networking: readonly string[] = [
  '/etc/resolv.conf',
  '/etc/hosts',
  '/etc/nsswitch.conf',
  '/etc/ssl',
  '/etc/ca-certificates',
];
const probeMs = 5_000;
let probing: Promise<string | undefined> | undefined;

/** Why no jail can be had on this machine; nothing when one can. Found out once. */
export function findJailObstacle(): Promise<string | undefined> {
  return (probing ??= probe());
}

/** Puts a command into the jail: it sees nothing but the view, is alone with its processes, and ends with this program. */
export function inJail({ command, args }: Command, view: JailView): Command {
  const node = realpathSync(command);
  const readable = [...system, ...(view.network ? networking : []), node, ...view.read];
  const flags = [
    '--unshare-all',
    ...(view.network ? ['--share-net'] : []),
    '--die-with-parent',
    '--new-session',
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--tmpfs',
    '/tmp',
    ...readable.filter((path) => existsSync(path)).flatMap((path) => ['--ro-bind', path, path]),
    ...view.write.filter((path) => existsSync(path)).flatMap((path) => ['--bind', path, path]),
  ];
  return { command: findBwrap() ?? 'bwrap', args: [...flags, '--', node, ...args] };
}

/** The program of bubblewrap, looked for as a shell would. */
function findBwrap(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, 'bwrap')).find((file) => existsSync(file));
}

function probe(): Promise<string | undefined> {
  if (process.platform !== 'linux') return Promise.resolve('there is no jail for this system yet, only for Linux');
  if (findBwrap() === undefined) return Promise.resolve('there is no bwrap; install bubblewrap');
  const { command, args } = inJail(
    { command: process.execPath, args: ['--version'] },
    { read: [], write: [], network: false },
  );
  return new Promise((resolve) => {
    execFile(command, args, { timeout: probeMs, env: {} }, (error) =>
      resolve(error ? 'bwrap can not be used on this machine: it may make no namespaces' : undefined),
    );
  });
}
