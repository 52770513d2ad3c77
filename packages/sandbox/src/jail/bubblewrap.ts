import { findControlGroups } from '../limits/control-groups.ts';
import { eachMemory, unlimitedProcesses } from '../limits/limited-command.ts';
import type { OpenDriver } from './create-jail.ts';
import { proxyEnvironment, withForwarder } from './forwarder.ts';
import { planMounts } from './plan-mounts.ts';
import { probeBubblewrap } from './probe-bubblewrap.ts';
import { startBubblewrap } from './start-bubblewrap.ts';

/** The jail of Linux: namespaces for files, processes, users, network and the rest, by bubblewrap. */
export const openBubblewrap: OpenDriver = async (limits) => {
  const [found, groups] = await Promise.all([probeBubblewrap(), findControlGroups()]);
  if (!found.ok) return found;
  const { file, canDisableUserNamespaces, filter, enforced } = found;
  const { memoryBytes, processes, fileBytes, temporaryBytes } = limits;
  return {
    ok: true,
    takesEgress: true,
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
    wrap(given, plain, egress) {
      const node = process.execPath;
      const view = egress ? { ...plain, read: [...plain.read, node, egress.folder] } : plain;
      const command = egress ? withForwarder(given, node, egress.socketPath) : given;
      const mounts = planMounts(view, temporaryBytes, given.file);
      const { network } = view;
      const variables = egress ? proxyEnvironment : {};
      return startBubblewrap({
        file,
        filter,
        groups,
        limits,
        command,
        mounts,
        variables,
        network,
        canDisableUserNamespaces,
      });
    },
    settle: (pid) => groups?.settle(pid) ?? null,
  };
};
