import type { JailCommand } from '../contract/jail.ts';
import { findControlGroups } from '../limits/control-groups.ts';
import { limitLine } from '../limits/limit-line.ts';
import { throughShell } from './jailed-shell-command.ts';
import { checkLimits, fillLimits, type LimitName, type ProcessLimits } from '../limits/process-limits.ts';

/** Applies limits to commands without a jail. */
export interface Limiter {
  /** Descriptions of the limits that cannot be enforced here. */
  readonly unenforced: readonly string[];
  wrap(command: JailCommand): JailCommand;
  settle(pid: number): LimitName | null;
}

/**
 * Creates a limiter with the limits that this machine can enforce without a jail.
 *
 * @throws TypeError if a limit is invalid.
 */
export async function createLimiter(given: ProcessLimits): Promise<Limiter> {
  checkLimits(given);
  const limits = fillLimits(given);
  const { memoryBytes, processes } = limits;
  const asksForGroups = memoryBytes !== Infinity || processes !== Infinity;
  const groups = asksForGroups ? await findControlGroups() : undefined;
  const isPosix = process.platform !== 'win32';
  return {
    settle: (pid) => groups?.settle(pid) ?? null,
    unenforced: isPosix
      ? [
          ...(memoryBytes === Infinity || groups ? [] : [memoryPerProcessGap]),
          ...(processes === Infinity || groups ? [] : [`${processesUnlimitedGap}: control groups are not available`]),
        ]
      : ['memory, processes and files are not limited on this system'],
    wrap(command) {
      // A limit on the user's processes would count those of the whole machine, so only the control group limits them.
      const line = `${groups?.line(limits) ?? ''}${limitLine(limits, { memory: !groups, processes: false })}`;
      if (!isPosix || line === '') return command;
      return throughShell(line, command);
    },
  };
}

/** The gap if only single processes are limited. */
export const memoryPerProcessGap: string =
  'memory is limited per process, not in total, and shared memory is not limited: control groups are not available';

/** The start of the gap if processes are not counted. */
export const processesUnlimitedGap: string = 'the number of processes is not limited';
