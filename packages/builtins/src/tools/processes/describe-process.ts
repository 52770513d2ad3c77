import type { ManagedProcessStatus } from '@haft/sandbox';
import { describeTime } from '../../commands/conclude-command.ts';
import { showCommand } from '../../commands/show-command.ts';

/** A process in the format `output: 'json'` of the process tools. */
export interface ListedProcess {
  readonly id: string;
  readonly command: string;
  readonly cwd: string;
  readonly pid: number;
  readonly running: boolean;
  readonly exitCode?: number;
  readonly signal?: string;
  /** Set if the process was ended by `stop_process`, or together with its owner. */
  readonly stopped?: true;
  readonly durationMs: number;
  /** The current end of the output. */
  readonly cursor: number;
}

/** Converts a status to the form for models. */
export function listProcess(status: ManagedProcessStatus): ListedProcess {
  return {
    id: status.id,
    command: status.command,
    cwd: status.cwd,
    pid: status.pid,
    running: status.isAlive,
    ...(status.exitCode === null ? {} : { exitCode: status.exitCode }),
    ...(status.signal === null ? {} : { signal: status.signal }),
    ...(status.wasStopped ? { stopped: true } : {}),
    durationMs: Math.round(status.durationMs),
    cursor: status.totalCharacters,
  };
}

/** Describes the state of a process: `is running (3.2 s)`, `ended with code 0 after 1.0 s`. */
export function describeState({ running, exitCode, signal, stopped, durationMs }: ListedProcess): string {
  const time = describeTime(durationMs);
  if (running) return `is running (${time})`;
  const how = signal === undefined ? `with code ${exitCode ?? null}` : `by ${signal}`;
  return `${stopped ? 'was stopped and ended' : 'ended'} ${how} after ${time}`;
}

/** Describes a process in one line. */
export function describeProcess(process: ListedProcess): string {
  return `${process.id} ${describeState(process)}, pid ${process.pid}: ${showCommand(process.command, 120)}`;
}
