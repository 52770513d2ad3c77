import { createBuiltins, createMemoryDocuments } from '@haft/builtins';
import type { AnyTool } from '@haft/core';
import { createProcessManager, type ProcessManager } from '@haft/sandbox';
import type { ToolkitOptions } from '../options/toolkit-options.ts';

/** The built-in tools, and a function that ends the background processes of bash. */
export interface MadeBuiltins {
  readonly tools: readonly AnyTool[];
  /** Ends the processes that the tools started. */
  end(): Promise<void>;
}

/**
 * Creates the built-in tools of a toolkit. Facts are kept for this run, unless the options name a store for them.
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
  // A process manager from the options may hold processes that the toolkit did not start.
  return { tools, end: async () => (builtins.processes ? undefined : processes.endAll()) };
}
