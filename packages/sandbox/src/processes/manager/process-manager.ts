import type { ProcessManagerOptions, StartProcessOptions } from './process-manager-options.ts';
import type { OutputSlice } from '../../output/output-ring.ts';
import { startManagedProcess, type ManagedProcess, type ManagedProcessStatus } from './managed-process.ts';
import { createFailure, type SandboxFailure } from '../../sandbox-failure.ts';

export type { ManagedProcess, ManagedProcessStatus, OutputSlice };

/** Manages background processes. */
export interface ProcessManager {
  /** Starts a process. Codes: `TOO_MANY_PROCESSES`, and those of `runProcess`. */
  start(options: StartProcessOptions): Promise<ManagedProcess | SandboxFailure>;
  /** Returns the running or remembered process with this id. */
  find(id: string, owner?: string): ManagedProcess | undefined;
  /** Returns all processes in the order of their start. */
  list(owner?: string): readonly ManagedProcessStatus[];
  /** Ends all running processes, or those of an owner. Resolves when they have ended. */
  endAll(owner?: string): Promise<void>;
}

interface Entry {
  readonly owner: string | undefined;
  readonly process: ManagedProcess;
}

/**
 * Creates a manager for processes that outlive the call that started them. Their latest output can be read from a
 * cursor, and they can be stopped with all descendants. They do not keep this process alive, and they end with it.
 *
 * @throws TypeError if a limit is not a positive integer.
 * @example
 * import { createProcessManager } from '@haft/sandbox';
 * const manager = createProcessManager();
 * manager.list(); // => []
 */
export function createProcessManager(options: ProcessManagerOptions = {}): ProcessManager {
  const { maxAlive = 16, maxEnded = 32, maxCharacters = 1_048_576 } = options;
  for (const [name, limit] of Object.entries({ maxAlive, maxEnded, maxCharacters }))
    if (!Number.isSafeInteger(limit) || limit < 1)
      throw new TypeError(`${name}: is out of range (expected a positive integer, got ${String(limit)})`);
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
        return createFailure('TOO_MANY_PROCESSES', `${maxAlive} processes are running already`);
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
