import { bubblewrapArguments } from './bubblewrap-arguments.ts';
import type { OpenDriver } from './create-jail.ts';
import { planMounts } from './plan-mounts.ts';
import { probeBubblewrap } from './probe-bubblewrap.ts';

/** The jail of Linux: namespaces for files, processes, users, network and the rest, by bubblewrap. */
export const openBubblewrap: OpenDriver = async () => {
  const found = await probeBubblewrap();
  if (!found.ok) return found;
  const { file, canDisableUserNamespaces } = found;
  return {
    ok: true,
    driver: 'bubblewrap',
    gaps: canDisableUserNamespaces ? [] : ['commands may make user namespaces of their own'],
    wrap(command, view, limits) {
      const mounts = planMounts(view, limits, command.file);
      const args = bubblewrapArguments({ command, mounts, network: view.network, canDisableUserNamespaces });
      return { file, args, ...(command.cwd === undefined ? {} : { cwd: command.cwd }) };
    },
  };
};
