import { release } from 'node:os';
import type { ControlGroups } from '../limits/control-groups.ts';
import { limitLine } from '../limits/limit-line.ts';
import { throughShell } from '../commands/jailed-shell-command.ts';
import type { ProcessLimits } from '../limits/process-limits.ts';
import { bubblewrapArguments, type BubblewrapPlan } from './bubblewrap-arguments.ts';
import type { JailCommand } from '../contract/jail.ts';

/** Options for starting bubblewrap. */
export interface BubblewrapStart extends Omit<BubblewrapPlan, 'filterDescriptor'> {
  /** The path of bubblewrap. */
  readonly file: string;
  /** The file with the seccomp filter, if there is one. */
  readonly filter: string | undefined;
  readonly groups: ControlGroups | undefined;
  readonly limits: Required<ProcessLimits>;
  /** The arguments that start a program in an existing network. */
  readonly enterCommand?: readonly string[] | undefined;
}

/** Higher than the descriptors that callers pass to a command. */
const filterDescriptor = 9;

/**
 * Returns the command that starts bubblewrap. A shell joins the control group, limits file sizes and opens the filter
 * for bubblewrap. Without a control group, another shell inside the jail sets the limits of each process, because
 * processes are counted separately there. Both shells replace themselves with the command they start.
 */
export function startBubblewrap({
  file,
  filter,
  groups,
  limits,
  enterCommand = [],
  ...plan
}: BubblewrapStart): JailCommand {
  const inner = groups ? '' : limitLine(limits, { memory: true, processes: countsByNamespace() });
  const command = inner === '' ? plan.command : throughShell(inner, plan.command);
  const before = groups ? `${groups.line(limits)}${limitLine(limits, { memory: false, processes: false })}` : '';
  const { cwd } = plan.command;
  const args = bubblewrapArguments({ ...plan, command, ...(filter === undefined ? {} : { filterDescriptor }) });
  const [first = file, ...rest] = [...enterCommand, file, ...args];
  const start = { file: first, args: rest, ...(cwd === undefined ? {} : { cwd }) };
  if (before === '' && filter === undefined) return start;
  return throughShell(before, start, filter === undefined ? '' : ` ${filterDescriptor}<${filter}`);
}

/** Since Linux 5.14, the processes of a user are counted per user namespace instead of per machine. */
export function countsByNamespace(version: string = release()): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 5 || (major === 5 && minor >= 14);
}
