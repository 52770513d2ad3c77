import { findControlGroups } from '../limits/control-groups.ts';
import { eachMemory, unlimitedProcesses } from '../commands/limited-command.ts';
import type { OpenDriver } from '../contract/jail-driver.ts';
import type { Mount } from './bubblewrap-arguments.ts';
import { forwarderOf, proxyEnvironment, withForwarder } from './forwarder.ts';
import type { JailCommand } from '../contract/jail.ts';
import { planMounts } from './plan-mounts.ts';
import { probeBubblewrap } from './probe-bubblewrap.ts';
import { infoDescriptor, openSharedNetwork } from './shared-network.ts';
import { startBubblewrap } from './start-bubblewrap.ts';

/** Tells the network that it is in. */
const witness: JailCommand = { file: '/bin/readlink', args: ['/proc/self/ns/net'], cwd: '/' };
const unlimited = { memoryBytes: Infinity, processes: Infinity, fileBytes: Infinity } as const;

/** The jail of Linux: namespaces for files, processes, users, network and the rest, by bubblewrap. */
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
      ...(canDisableUserNamespaces ? [] : ['commands may make user namespaces of their own']),
      ...(filter === undefined ? ['system calls are not filtered'] : []),
      ...(memoryBytes === Infinity || groups ? [] : [enforced.memory ? eachMemory : 'memory is not limited']),
      ...(processes === Infinity || groups || enforced.processes
        ? []
        : [`${unlimitedProcesses}: no control groups can be had, and the system counts none for this user`]),
      ...(fileBytes === Infinity || enforced.files ? [] : ['the size of files is not limited']),
    ],
    wrap: (given, plain, way) => {
      const entrance = way?.shared?.entrance();
      const own = entrance ? undefined : way?.egress;
      const view = own ? { ...plain, read: [...plain.read, node, own.folder] } : plain;
      return startBubblewrap({
        ...program,
        groups,
        limits,
        entrance,
        command: own ? withForwarder(given, node, own.socketPath) : given,
        mounts: planMounts(view, temporaryBytes, given.file),
        variables: way ? proxyEnvironment : {},
        network: view.network || entrance !== undefined,
      });
    },
    shareNetwork: ({ folder, socketPath }) => {
      const free = { ...program, groups: undefined, limits: unlimited };
      const mountsOf = (read: readonly string[], started: string): readonly Mount[] =>
        planMounts({ read, write: [], hidden: [], network: false }, temporaryBytes, started);
      return openSharedNetwork({
        writable,
        wrapper: startBubblewrap({
          ...free,
          command: forwarderOf(node, socketPath),
          mounts: mountsOf([node, folder], node),
          network: false,
          // Commands make namespaces of their own inside the one of the forwarder.
          canDisableUserNamespaces: false,
          infoDescriptor,
          // Who enters has to own the network, and so to be in the very namespace that it belongs to.
          hasDevices: false,
        }),
        tryOut: (entrance) =>
          startBubblewrap({
            ...free,
            command: witness,
            mounts: mountsOf([], witness.file),
            network: true,
            entrance,
          }),
      });
    },
    settle: (pid) => groups?.settle(pid) ?? null,
  };
};
