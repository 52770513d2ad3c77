import type { BoardProcessStatus } from '@haft/sandbox';
import { describeTime } from '../bash/conclude-command.ts';
import { showCommand } from '../bash/show-command.ts';

/** A process as `output: 'json'` of the process tools gives it. */
export interface ListedProcess {
  readonly id: string;
  readonly command: string;
  readonly cwd: string;
  readonly pid: number;
  readonly running: boolean;
  readonly exitCode?: number;
  readonly signal?: string;
  readonly durationMs: number;
  /** Where its output ends so far. */
  readonly cursor: number;
}

/** Puts a status in the form that a model is given. */
export function listProcess(status: BoardProcessStatus): ListedProcess {
  return {
    id: status.id,
    command: status.command,
    cwd: status.cwd,
    pid: status.pid,
    running: status.isAlive,
    ...(status.exitCode === null ? {} : { exitCode: status.exitCode }),
    ...(status.signal === null ? {} : { signal: status.signal }),
    durationMs: Math.round(status.durationMs),
    cursor: status.totalCharacters,
  };
}

/** How a process stands, in words: `is running (3.2 s)`, `ended with code 0 after 1.0 s`. */
export function describeState({ isAlive, exitCode, signal, wasStopped, durationMs }: BoardProcessStatus): string {
  const time = describeTime(durationMs);
  if (isAlive) return `is running (${time})`;
  const how = signal === null ? `with code ${exitCode}` : `by ${signal}`;
  return `${wasStopped ? 'was stopped and ended' : 'ended'} ${how} after ${time}`;
}

/** A process in one line. */
export function describeProcess(status: BoardProcessStatus): string {
  return `${status.id} ${describeState(status)}, pid ${status.pid}: ${showCommand(status.command, 120)}`;
}
