import { availableParallelism } from 'node:os';
import type { Logger } from '@haft/core';
import type { PluginCapabilities } from '../../capabilities.ts';
import { findPlugin } from '../../plugin/definition/find-plugin.ts';
import { createIdlePool } from '../../isolation/process/idle-pool.ts';
import { loadIsolated, type IsolationParts } from '../../isolation/load-isolated.ts';
import { createSemaphore } from '../../isolation/process/semaphore.ts';
import { createTypeStripper } from '../../isolation/stripper/type-stripper.ts';
import { createProcessPool } from '../../isolation/process/process-pool.ts';
import type { LoadedPlugin } from '../../plugin/loaded-plugin.ts';
import { hostBases } from '../../files/module-versions.ts';
import { createPluginLogger } from '../../loader/slot/plugin-logger.ts';
import type { LoadProblem } from '../../plugin-report.ts';

/** How to run tools that were written at run time. */
export interface ToolRunOptions {
  readonly jail: 'required' | 'preferred' | 'off';
  readonly hostPackages: readonly string[];
  readonly loadTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly unresponsiveMs: number;
  readonly maxMemoryMegabytes: number;
  readonly logger: Logger;
}

/** The folder of one tool, and its capabilities. */
export interface ToolFolder {
  readonly id: string;
  readonly folder: string;
  readonly granted: PluginCapabilities;
  readonly described?: unknown;
  readonly findChange?: (() => Promise<string | undefined>) | undefined;
  readonly onCrash?: (reason: string) => void;
}

/** Loads the folders of tools, each into its own process. */
export interface ToolFolderLoader {
  load(tool: ToolFolder): Promise<LoadedPlugin | LoadProblem>;
  close(): void;
}

const disposeTimeoutMs = 2_000;
/** Maximum number of idle tool processes. */
const maxIdle = 4;

export function createToolFolderLoader(options: ToolRunOptions): ToolFolderLoader {
  const closed = new AbortController();
  const limits = {
    unresponsiveMs: options.unresponsiveMs,
    maxMemoryBytes: options.maxMemoryMegabytes * 1024 * 1024,
  };
  const parts: IsolationParts = {
    processPool: createProcessPool(limits),
    idlePool: createIdlePool(maxIdle),
    semaphore: createSemaphore(Math.max(2, availableParallelism())),
    stripper: createTypeStripper(),
  };
  return {
    async load({ id, folder, granted, described, findChange, onCrash = () => undefined }) {
      const found = await findPlugin(folder);
      if (found === 'absent') return { phase: 'discover', message: 'its folder is missing' };
      if ('phase' in found) return found;
      return loadIsolated(found, new Set([found.entry]), {
        ...options,
        parts,
        id,
        path: folder,
        fallback: { ...found, name: found.name ?? id },
        granted,
        arePlacesReal: true,
        bases: hostBases(),
        disposeTimeoutMs,
        limits,
        heapMegabytes: Math.ceil(options.maxMemoryMegabytes / 2),
        logger: createPluginLogger(options.logger, id),
        onCrash,
        described,
        findChange,
        signal: closed.signal,
      });
    },
    close() {
      closed.abort();
      parts.processPool.close();
      parts.stripper.close();
    },
  };
}
