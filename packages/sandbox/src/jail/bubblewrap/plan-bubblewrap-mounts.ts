import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { isAbsolute, normalize } from 'node:path';
import type { Mount } from './bubblewrap-arguments.ts';
import type { JailAccess } from '../contract/jail.ts';

/** System paths that Linux programs need. They contain no user data. */
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
/** Additional paths for network access by name. */
const networkPaths: readonly string[] = [
  '/etc/resolv.conf',
  '/etc/hosts',
  '/etc/nsswitch.conf',
  '/etc/ssl',
  '/etc/ca-certificates',
];

/**
 * Returns the mounts of a jail, one per path. Write access takes precedence over read access, and both over the mounts
 * of every command.
 *
 * @throws TypeError if a path is not absolute.
 */
export function planMounts(view: Required<JailAccess>, temporaryBytes: number, program: string): readonly Mount[] {
  const mounts = new Map<string, Mount>();
  const put = (mount: Mount): void => void mounts.set(mount.path, mount);
  put({ kind: 'memory', path: '/tmp', bytes: temporaryBytes });
  for (const path of system) putSystem(path, put);
  if (view.network) for (const path of networkPaths) if (existsSync(path)) put({ kind: 'read', path });
  if (!isInsideAny(program, system)) put({ kind: 'read', path: program });
  for (const path of view.read) bind('read', path, put);
  for (const path of view.write) bind('write', path, put);
  for (const path of view.hidden) hide(path, put);
  return [...mounts.values()];
}

function putSystem(path: string, put: (mount: Mount) => void): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  // If they are links into /usr, creating a link costs less than a mount.
  if (stats?.isSymbolicLink() === true) put({ kind: 'link', path, target: readlinkSync(path) });
  else if (stats) put({ kind: 'read', path });
}

function bind(kind: 'read' | 'write', given: string, put: (mount: Mount) => void): void {
  const path = checked(given);
  if (existsSync(path)) put({ kind, path });
}

function hide(given: string, put: (mount: Mount) => void): void {
  const path = checked(given);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats) put({ kind: 'hidden', path, isDirectory: stats.isDirectory() });
}

function checked(given: string): string {
  if (!isAbsolute(given) || given.includes('\0'))
    throw new TypeError(`${JSON.stringify(given)} is not an absolute path (jails require absolute paths)`);
  return normalize(given).replace(/(?<=.)\/$/, '');
}

function isInsideAny(path: string, folders: readonly string[]): boolean {
  return folders.some((directory) => path.startsWith(`${directory}/`));
}
