import { createBuiltins, createMemoryDocuments } from '@haft/builtins';
import type { AnyTool } from '@haft/core';
import { createProcessManager, type ProcessManager } from '@haft/sandbox';
import type { ToolkitOptions } from '../options/toolkit-options.ts';

/** The built-in tools, and the processes that bash left running. */
export interface MadeBuiltins {
  readonly tools: readonly AnyTool[];
  /** Ends what they started. */
  end(): Promise<void>;
}

/**
 * Makes the built-in tools of a toolkit; facts are remembered for this run, unless the program says where else.
 * @throws BuiltinsError `INVALID_OPTION`.
 */
export function makeBuiltins({ builtins = {}, question }: ToolkitOptions): MadeBuiltins {
  if (builtins === false) return { tools: [], end: () => Promise.resolve() };
  const processes: ProcessManager = builtins.processes ?? createProcessManager();
  const tools = createBuiltins({
    memory: { session: createMemoryDocuments() },
    ...builtins,
    processes,
    ...(question && { ask: question }),
  });
  // A board of the program's own may have processes that are none of the toolkit's business.
  return { tools, end: async () => (builtins.processes ? undefined : processes.endAll()) };
}
