import type { OpenDriver } from './create-jail.ts';
import { planMounts } from './plan-mounts.ts';
import { probeBubblewrap } from './probe-bubblewrap.ts';
import { startBubblewrap } from './start-bubblewrap.ts';

/** The jail of Linux: namespaces for files, processes, users, network and the rest, by bubblewrap. */
export const openBubblewrap: OpenDriver = async () => {
  const found = await probeBubblewrap();
  if (!found.ok) return found;
  const { file, canDisableUserNamespaces, filter } = found;
  return {
    ok: true,
    driver: 'bubblewrap',
    gaps: [
      ...(canDisableUserNamespaces ? [] : ['commands may make user namespaces of their own']),
      ...(filter === undefined ? ['system calls are not filtered'] : []),
    ],
    wrap(command, view, limits) {
      const mounts = planMounts(view, limits, command.file);
      return startBubblewrap({ file, filter, command, mounts, network: view.network, canDisableUserNamespaces });
    },
  };
};
