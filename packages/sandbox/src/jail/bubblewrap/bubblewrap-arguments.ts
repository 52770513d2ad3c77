import { dirname } from 'node:path';
import type { JailCommand } from '../contract/jail.ts';

/** One path of a jail's file system. */
export type Mount =
  | { readonly kind: 'read' | 'write'; readonly path: string }
  | { readonly kind: 'hidden'; readonly path: string; readonly isDirectory: boolean }
  | { readonly kind: 'memory'; readonly path: string; readonly bytes: number }
  | { readonly kind: 'link'; readonly path: string; readonly target: string };

/** What decides the arguments. */
export interface BubblewrapPlan {
  readonly command: JailCommand;
  readonly mounts: readonly Mount[];
  readonly network: boolean;
  /** Set for the command, whatever it is given besides. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Whether this bubblewrap can keep a program from making user namespaces of its own. */
  readonly canDisableUserNamespaces: boolean;
  /** The descriptor that the filter of system calls is read from, if there is one. */
  readonly filterDescriptor?: number | undefined;
  /**
   * Whether it has terminals and the other devices that programs expect, or no more than `/dev/null`. Default true. For whoever is not the
   * superuser, terminals take one more user namespace, inside the one that the network belongs to.
   */
  readonly hasDevices?: boolean;
  /** The descriptor on which bubblewrap tells which process it has started, where somebody wants to know. */
  readonly infoDescriptor?: number;
}

/** Bytes that shared memory may take, as in a container. */
const sharedMemoryBytes = 67_108_864;

/**
 * The arguments of bubblewrap for a command. Nothing of the machine is in view but the mounts: outer ones come first, so
 * that inner ones stay visible and stay as narrow as they are.
 */
export function bubblewrapArguments(plan: BubblewrapPlan): readonly string[] {
  const {
    command,
    network,
    variables = {},
    canDisableUserNamespaces,
    filterDescriptor,
    infoDescriptor,
    hasDevices = true,
  } = plan;
  const mounts = plan.mounts.filter(({ path }) => !isKernels(path)).toSorted((a, b) => depth(a.path) - depth(b.path));
  const isRootMounted = mounts.some(({ path }) => path === '/');
  const outermost = isRootMounted ? mounts.slice(0, 1) : [];
  const others = mounts.slice(outermost.length);
  return [
    '--unshare-all',
    ...(network ? ['--share-net'] : []),
    ...(canDisableUserNamespaces ? ['--unshare-user', '--disable-userns'] : []),
    // Started by the superuser it would keep all of them, and could mount anew what it may only read.
    '--cap-drop',
    'ALL',
    '--die-with-parent',
    // Without it a program could type into the terminal.
    '--new-session',
    ...(infoDescriptor === undefined ? [] : ['--info-fd', `${infoDescriptor}`]),
    ...(filterDescriptor === undefined ? [] : ['--seccomp', `${filterDescriptor}`]),
    ...outermost.flatMap(mountArguments),
    '--proc',
    '/proc',
    ...(hasDevices
      ? ['--dev', '/dev', '--size', `${sharedMemoryBytes}`, '--tmpfs', '/dev/shm']
      : ['--dev-bind', '/dev/null', '/dev/null']),
    ...others.flatMap(mountArguments),
    // What holds the mounts is memory as well, and nobody counts it.
    ...(hasDevices ? ['--remount-ro', '/dev'] : []),
    ...(isRootMounted ? [] : ['--remount-ro', '/']),
    ...Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value]),
    ...(command.cwd === undefined ? [] : ['--chdir', command.cwd]),
    '--',
    command.file,
    ...command.args,
  ];
}

function mountArguments(mount: Mount): readonly string[] {
  if (mount.kind === 'memory') return ['--size', `${mount.bytes}`, '--tmpfs', mount.path];
  if (mount.kind === 'link') return ['--symlink', mount.target, mount.path];
  if (mount.kind === 'hidden')
    return mount.isDirectory
      ? ['--size', '4096', '--tmpfs', mount.path, '--remount-ro', mount.path]
      : ['--ro-bind', '/dev/null', mount.path];
  return [mount.kind === 'read' ? '--ro-bind' : '--bind', mount.path, mount.path];
}

/** The kernel's own trees are made anew; those of the machine show other processes, and more. */
function isKernels(path: string): boolean {
  return /^\/(?:proc|dev|sys)(?:\/|$)/.test(path);
}

function depth(path: string): number {
  return path === '/' ? 0 : 1 + depth(dirname(path));
}
