import { bubblewrapArguments, type BubblewrapPlan } from './bubblewrap-arguments.ts';
import type { JailCommand } from './jail.ts';

/** How bubblewrap is started, besides what decides its arguments. */
export interface BubblewrapStart extends Omit<BubblewrapPlan, 'filterDescriptor'> {
  /** The program. */
  readonly file: string;
  /** The file of the filter of system calls, if there is one. */
  readonly filter: string | undefined;
}

/** Beyond what callers hand on to a command. */
const filterDescriptor = 9;

/** The command that starts bubblewrap. The filter goes in by a descriptor, which a shell opens without anybody's help. */
export function startBubblewrap({ file, filter, ...plan }: BubblewrapStart): JailCommand {
  const { cwd } = plan.command;
  const where = cwd === undefined ? {} : { cwd };
  if (filter === undefined) return { ...where, file, args: bubblewrapArguments(plan) };
  const args = bubblewrapArguments({ ...plan, filterDescriptor });
  return { ...where, file: '/bin/sh', args: ['-c', `exec "$0" "$@" ${filterDescriptor}<${filter}`, file, ...args] };
}
