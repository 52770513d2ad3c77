import type { JailCommand } from '../contract/jail.ts';
import { findControlGroups } from '../limits/control-groups.ts';
import { limitLine } from '../limits/limit-line.ts';
import { throughShell } from './through-shell.ts';
import { checkLimits, givenLimits, type LimitName, type ProcessLimits } from '../limits/process-limits.ts';

/** Keeps commands that are in no jail to limits. */
export interface Limiter {
  /** What is asked for and can't be had here, in words. */
  readonly unenforced: readonly string[];
  wrap(command: JailCommand): JailCommand;
  settle(pid: number): LimitName | null;
}

/**
 * Finds out which limits can be kept on this machine without a jail.
 *
 * @throws TypeError for a limit that is none.
 */
export async function createLimiter(given: ProcessLimits): Promise<Limiter> {
  checkLimits(given);
  const limits = givenLimits(given);
  const { memoryBytes, processes } = limits;
  const asksForGroups = memoryBytes !== Infinity || processes !== Infinity;
  const groups = asksForGroups ? await findControlGroups() : undefined;
  const isPosix = process.platform !== 'win32';
  return {
    settle: (pid) => groups?.settle(pid) ?? null,
    unenforced: isPosix
      ? [
          ...(memoryBytes === Infinity || groups ? [] : [eachMemory]),
          ...(processes === Infinity || groups ? [] : [`${unlimitedProcesses}: no control groups can be had`]),
        ]
      : ['memory, processes and files are not limited on this system'],
    wrap(command) {
      // How many a user has on the whole machine is no limit of one command, so processes are left to the group.
      const line = `${groups?.line(limits) ?? ''}${limitLine(limits, { memory: !groups, processes: false })}`;
      if (!isPosix || line === '') return command;
      return throughShell(line, command);
    },
  };
}

/** Said where only single processes are limited. */
export const eachMemory: string =
  'memory is limited for each process, not for all of them together, and shared memory not at all: no control groups can be had';

/** Begins what is said where processes are not counted. */
export const unlimitedProcesses: string = 'the number of processes is not limited';
