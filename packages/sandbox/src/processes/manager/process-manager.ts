import type { ProcessManagerOptions, StartProcessOptions } from './process-manager-options.ts';
import type { OutputSlice } from '../../output/output-ring.ts';
import { startManagedProcess, type ManagedProcess, type ManagedProcessStatus } from './managed-process.ts';
import { createFailure, type SandboxFailure } from '../../sandbox-failure.ts';

export type { ManagedProcess, ManagedProcessStatus, OutputSlice };

/** Processes that go on while their starter does something else. */
export interface ProcessManager {
  /**
   * Starts one. Failure is data: `TOO_MANY_PROCESSES`, and the codes of `runProcess`.
   */
  start(options: StartProcessOptions): Promise<ManagedProcess | SandboxFailure>;
  /** The one of that id, alive or remembered. */
  find(id: string, owner?: string): ManagedProcess | undefined;
  /** All, in the order they were started. */
  list(owner?: string): readonly ManagedProcessStatus[];
  /** Ends all that are alive, or an owner's; resolves when they have ended. */
  endAll(owner?: string): Promise<void>;
}

interface Entry {
  readonly owner: string | undefined;
  readonly process: ManagedProcess;
}

/**
 * Makes an empty board: a place for processes that outlive the call which started them. Their latest output can be read from a
 * cursor on, they can be stopped with all they started, and they end with this process, which they do not keep from ending.
 *
 * @throws TypeError for a limit that is no whole number from 1.
 */
export function createProcessManager(options: ProcessManagerOptions = {}): ProcessManager {
  const { maxAlive = 16, maxEnded = 32, maxCharacters = 1_048_576 } = options;
  for (const [name, limit] of Object.entries({ maxAlive, maxEnded, maxCharacters }))
    if (!Number.isSafeInteger(limit) || limit < 1)
      throw new TypeError(`${name} must be a whole number from 1, not ${String(limit)}`);
  const entries = new Map<string, Entry>();
  let started = 0;
  let starting = 0;
  const belongsTo = (entry: Entry, owner: string | undefined): boolean => owner === undefined || entry.owner === owner;
  const countAlive = (): number => starting + [...entries.values()].filter(({ process }) => isAlive(process)).length;

  const forget = (): void => {
    const ended = [...entries].filter(([, { process }]) => !isAlive(process));
    for (const [id] of ended.slice(0, Math.max(0, ended.length - maxEnded))) entries.delete(id);
  };

  return {
    async start({ owner, ...wanted }) {
      if (countAlive() >= maxAlive)
        return createFailure('TOO_MANY_PROCESSES', `${maxAlive} processes of this board are alive already`);
      starting += 1;
      try {
        const id = `p${(started += 1)}`;
        const process = await startManagedProcess(id, wanted, maxCharacters);
        if (!process.ok) return process;
        entries.set(id, { owner, process });
        forget();
        return process;
      } finally {
        starting -= 1;
      }
    },
    find(id, owner) {
      const entry = entries.get(id);
      return entry && belongsTo(entry, owner) ? entry.process : undefined;
    },
    list: (owner) =>
      [...entries.values()].filter((entry) => belongsTo(entry, owner)).map(({ process }) => process.status()),
    async endAll(owner) {
      const alive = [...entries.values()].filter((entry) => belongsTo(entry, owner) && isAlive(entry.process));
      await Promise.all(alive.map(({ process }) => process.stop()));
    },
  };
}

function isAlive(process: ManagedProcess): boolean {
  return process.status().isAlive;
}
