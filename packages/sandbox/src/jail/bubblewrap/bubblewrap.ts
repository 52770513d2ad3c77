import { findControlGroups } from '../limits/control-groups.ts';
import { memoryPerProcessGap, processesUnlimitedGap } from '../commands/limit-jailed-command.ts';
import type { OpenDriver } from '../contract/jail-driver.ts';
import type { Mount } from './bubblewrap-arguments.ts';
import { createForwarder, proxyEnvironment, withForwarder } from './bubblewrap-forwarder.ts';
import type { JailCommand } from '../contract/jail.ts';
import { planMounts } from './plan-bubblewrap-mounts.ts';
import { probeBubblewrap } from './probe-bubblewrap.ts';
import { infoDescriptor, openSharedNetwork } from './bubblewrap-network.ts';
import { startBubblewrap } from './start-bubblewrap.ts';

/** A command that prints the network it runs in. */
const probeCommand: JailCommand = { file: '/bin/readlink', args: ['/proc/self/ns/net'], cwd: '/' };
const unlimited = { memoryBytes: Infinity, processes: Infinity, fileBytes: Infinity } as const;

/** Opens the jail of Linux: bubblewrap with namespaces for files, processes, users, network and the rest. */
export const openBubblewrap: OpenDriver = async (limits, writable) => {
  const [found, groups] = await Promise.all([probeBubblewrap(writable), findControlGroups()]);
  if (!found.ok) return found;
  const { file, canDisableUserNamespaces, filter, enforced } = found;
  const { memoryBytes, processes, fileBytes, temporaryBytes } = limits;
  const node = process.execPath;
  const program = { file, filter, canDisableUserNamespaces };
  return {
    ok: true,
    driver: 'bubblewrap',
    gaps: [
      ...(canDisableUserNamespaces ? [] : ['commands can create user namespaces']),
      ...(filter === undefined ? ['system calls are not filtered'] : []),
      ...(memoryBytes === Infinity || groups ? [] : [enforced.memory ? memoryPerProcessGap : 'memory is not limited']),
      ...(processes === Infinity || groups || enforced.processes
        ? []
        : [
            `${processesUnlimitedGap}: control groups are not available, and the system does not count processes of this user`,
          ]),
      ...(fileBytes === Infinity || enforced.files ? [] : ['the size of files is not limited']),
    ],
    wrap: (given, access, route) => {
      const enterCommand = route?.shared?.enterCommand();
      const own = enterCommand ? undefined : route?.egress;
      const view = own ? { ...access, read: [...access.read, node, own.directory] } : access;
      return startBubblewrap({
        ...program,
        groups,
        limits,
        enterCommand,
        command: own ? withForwarder(given, node, own.socketPath) : given,
        mounts: planMounts(view, temporaryBytes, given.file),
        variables: route ? proxyEnvironment : {},
        network: view.network || enterCommand !== undefined,
      });
    },
    shareNetwork: ({ directory, socketPath }) => {
      const free = { ...program, groups: undefined, limits: unlimited };
      const mountsOf = (read: readonly string[], started: string): readonly Mount[] =>
        planMounts({ read, write: [], hidden: [], network: false }, temporaryBytes, started);
      return openSharedNetwork({
        writable,
        wrapper: startBubblewrap({
          ...free,
          command: createForwarder(node, socketPath),
          mounts: mountsOf([node, directory], node),
          network: false,
          // Commands create their own namespaces inside that of the forwarder.
          canDisableUserNamespaces: false,
          infoDescriptor,
          // To enter the network, a process must be in the user namespace that owns it.
          hasDevices: false,
        }),
        test: (enterCommand) =>
          startBubblewrap({
            ...free,
            command: probeCommand,
            mounts: mountsOf([], probeCommand.file),
            network: true,
            enterCommand,
          }),
      });
    },
    settle: (pid) => groups?.settle(pid) ?? null,
  };
};
