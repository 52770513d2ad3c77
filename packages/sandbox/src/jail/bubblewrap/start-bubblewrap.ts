import { release } from 'node:os';
import type { ControlGroups } from '../limits/control-groups.ts';
import { limitLine } from '../limits/limit-line.ts';
import { throughShell } from '../commands/through-shell.ts';
import type { ProcessLimits } from '../limits/process-limits.ts';
import { bubblewrapArguments, type BubblewrapPlan } from './bubblewrap-arguments.ts';
import type { JailCommand } from '../contract/jail.ts';

/** How bubblewrap is started, besides what decides its arguments. */
export interface BubblewrapStart extends Omit<BubblewrapPlan, 'filterDescriptor'> {
  /** The program. */
  readonly file: string;
  /** The file of the filter of system calls, if there is one. */
  readonly filter: string | undefined;
  readonly groups: ControlGroups | undefined;
  readonly limits: Required<ProcessLimits>;
  /** The words that start a program in a network which is there already. */
  readonly entrance?: readonly string[] | undefined;
}

/** Beyond what callers hand on to a command. */
const filterDescriptor = 9;

/**
 * The command that starts bubblewrap: a shell joins the group, limits files and opens the filter, which bubblewrap reads from a
 * descriptor. Without a group another one inside sets the limits of each process, since there processes are counted by themselves.
 * Both become what they start.
 */
export function startBubblewrap({
  file,
  filter,
  groups,
  limits,
  entrance = [],
  ...plan
}: BubblewrapStart): JailCommand {
  const inner = groups ? '' : limitLine(limits, { memory: true, processes: countsByNamespace() });
  const command = inner === '' ? plan.command : throughShell(inner, plan.command);
  const before = groups ? `${groups.line(limits)}${limitLine(limits, { memory: false, processes: false })}` : '';
  const { cwd } = plan.command;
  const args = bubblewrapArguments({ ...plan, command, ...(filter === undefined ? {} : { filterDescriptor }) });
  const [first = file, ...words] = [...entrance, file, ...args];
  const start = { file: first, args: words, ...(cwd === undefined ? {} : { cwd }) };
  if (before === '' && filter === undefined) return start;
  return throughShell(before, start, filter === undefined ? '' : ` ${filterDescriptor}<${filter}`);
}

/** Since Linux 5.14 the processes of a user are counted in each user namespace by itself, not on the whole machine. */
export function countsByNamespace(version: string = release()): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 5 || (major === 5 && minor >= 14);
}
