import { dirname } from 'node:path';
import type { JailCommand } from '../contract/jail.ts';

/** A path in the file system of a jail. */
export type Mount =
  | { readonly kind: 'read' | 'write'; readonly path: string }
  | { readonly kind: 'hidden'; readonly path: string; readonly isDirectory: boolean }
  | { readonly kind: 'memory'; readonly path: string; readonly bytes: number }
  | { readonly kind: 'link'; readonly path: string; readonly target: string };

/** Options of {@link bubblewrapArguments}. */
export interface BubblewrapPlan {
  readonly command: JailCommand;
  readonly mounts: readonly Mount[];
  readonly network: boolean;
  /** Variables to set in addition to the environment of the command. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Whether this bubblewrap can prevent programs from creating user namespaces. */
  readonly canDisableUserNamespaces: boolean;
  /** The descriptor from which bubblewrap reads the seccomp filter, if there is one. */
  readonly filterDescriptor?: number | undefined;
  /**
   * Whether to provide terminals and the other usual devices, or only `/dev/null`. Default true. Without root
   * privileges, terminals need another user namespace inside the one that owns the network.
   */
  readonly hasDevices?: boolean;
  /** The descriptor on which bubblewrap reports the process it started. */
  readonly infoDescriptor?: number;
}

/** Size limit of shared memory in bytes, as in a container. */
const sharedMemoryBytes = 67_108_864;

/**
 * Returns the arguments of bubblewrap for a command. Only the mounts are visible. Outer mounts come first, so that
 * inner ones stay visible and restricted.
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
  const mounts = plan.mounts
    .filter(({ path }) => !isKernelPath(path))
    .toSorted((a, b) => depth(a.path) - depth(b.path));
  const isRootMounted = mounts.some(({ path }) => path === '/');
  const outermost = isRootMounted ? mounts.slice(0, 1) : [];
  const others = mounts.slice(outermost.length);
  return [
    '--unshare-all',
    ...(network ? ['--share-net'] : []),
    ...(canDisableUserNamespaces ? ['--unshare-user', '--disable-userns'] : []),
    // With root privileges, bubblewrap would keep all capabilities and could remount read-only paths.
    '--cap-drop',
    'ALL',
    '--die-with-parent',
    // Without it, a program could type into the terminal.
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
    // The root file system, which contains the mounts, is in memory without a size limit, so it is made read-only, too.
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

/** Returns true for kernel file systems, which are mounted new. Those of the machine would show other processes. */
function isKernelPath(path: string): boolean {
  return /^\/(?:proc|dev|sys)(?:\/|$)/.test(path);
}

function depth(path: string): number {
  return path === '/' ? 0 : 1 + depth(dirname(path));
}
