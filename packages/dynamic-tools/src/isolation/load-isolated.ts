import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Logger, ToolContext, ToolResult } from '@haft/core';
import { createJail, type Jail } from '@haft/sandbox';
import type { PluginCapabilities } from '../capabilities.ts';
import type { FoundPlugin } from '../plugin/definition/find-plugin.ts';
import type { LoadedPlugin } from '../plugin/loaded-plugin.ts';
import { locateFailure } from '../files/locate-failure-in-files.ts';
import { createPluginFromExport, type PluginFallback } from '../plugin/create-plugin-from-export.ts';
import { createSourceReader, isOwnFile } from '../files/plugin-own-files.ts';
import { maxEntries } from '../files/settled-files.ts';
import { sharedDirectories } from '../files/plugin-path.ts';
import type { LoadProblem } from '../plugin-report.ts';
import type { Method, TakenTool } from '../plugin/definition/take-defined-tool.ts';
import { limitClaims } from './claimed-traits.ts';
import { explainMissingGrants } from './explain-missing-grants.ts';
import { explainMissingVariable } from './explain-missing-variable.ts';
import type { IdlePool } from './process/idle-pool.ts';
import { planLaunch, type LaunchPlan } from './launch/launch-plan.ts';
import { noFileAccess, planFileAccess } from './launch/plan-file-access.ts';
import { createPluginSupervisor, type PluginSupervisor } from './process/plugin-supervisor.ts';
import type { ProcessLimits } from './process/running-plugin.ts';
import type { Semaphore } from './process/semaphore.ts';
import type { TypeStripper } from './stripper/type-stripper.ts';
import type { ProcessPool } from './process/process-pool.ts';
import { readWirePlugin } from './wire-plugin.ts';

/** Dependencies that all isolated plugins share. */
export interface IsolationParts {
  readonly processPool: ProcessPool;
  readonly idlePool: IdlePool;
  /** Limits how many processes start at once, because each would be slow otherwise. */
  readonly semaphore: Semaphore;
  readonly stripper: TypeStripper;
}

/** How to load a plugin into its own process. */
export interface IsolatedOptions {
  readonly parts: IsolationParts;
  readonly id: string;
  /** The plugin's file or folder. */
  readonly path: string;
  readonly fallback: PluginFallback;
  readonly granted: PluginCapabilities;
  /** Whether the granted paths contained no links. If one leads elsewhere now, the plugin is rejected. */
  readonly arePlacesReal?: boolean;
  readonly jail: 'required' | 'preferred' | 'off';
  readonly hostPackages: readonly string[];
  readonly bases: readonly string[];
  readonly loadTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly disposeTimeoutMs: number;
  readonly limits: ProcessLimits;
  readonly heapMegabytes: number;
  readonly logger: Logger;
  readonly onCrash: (reason: string, retryAfterMs: number) => void;
  /**
   * The description that its process returned earlier, for the same files. With it, the first call starts the process.
   */
  readonly described?: unknown;
  readonly findChange?: (() => Promise<string | undefined>) | undefined;
  readonly onStale?: (() => void) | undefined;
  readonly mayRest?: (() => boolean) | undefined;
  /** Cancels the load. */
  readonly signal: AbortSignal;
}

/**
 * Loads a plugin into its own process, limited to the granted capabilities.
 *
 * @param files receives every file of the plugin that is imported, now and later.
 */
export async function loadIsolated(
  found: FoundPlugin,
  files: Set<string>,
  options: IsolatedOptions,
): Promise<LoadedPlugin | LoadProblem> {
  const jail = await findJail(options.jail, (message) => options.logger.warn(`Plugin ${options.id}: ${message}`));
  if ('problem' in jail) return { phase: 'isolate', message: jail.problem };
  const { processPool, idlePool, semaphore, stripper } = options.parts;
  const own = ownPlaces(options.path);
  const readSource = createSourceReader(own);
  const entry = realpathSync(found.entry);
  const plan = await planOf(options, own, jail);
  if (typeof plan === 'string') return { phase: 'isolate', message: plan, file: entry };
  const process = createPluginSupervisor({
    ...options,
    plan,
    // Protected files may have been created since the last start.
    ...(options.granted.fs && { replan: () => planOf(options, own, jail) }),
    idlePool,
    load: {
      t: 'load',
      id: options.id,
      entry,
      hostPackages: options.hostPackages,
      bases: options.bases,
      hasNetwork: (options.granted.hosts ?? []).length > 0,
    },
    onFiles(reported) {
      for (const file of reported) if (files.size < maxEntries && isOwnFile(file, own)) files.add(file);
    },
    strip: () => stripper.strip(entry, readSource),
    async locate(thrown) {
      const located = await locateFailure(thrown, files, readSource);
      const grant = { id: options.id, granted: options.granted.env ?? [] };
      return { ...located, message: await explainMissingVariable(located.message, grant, files, readSource) };
    },
  });
  let described = options.described;
  if (described === undefined) {
    const giveUp = (): void => void process.close();
    if (options.signal.aborted) giveUp();
    options.signal.addEventListener('abort', giveUp, { once: true });
    const started = await semaphore(() => process.start(processPool.take(options.id, plan, fingerprintPaths(own))));
    options.signal.removeEventListener('abort', giveUp);
    plan.release();
    if ('phase' in started) return started;
    described = started.plugin;
  } else {
    plan.release();
    process.adopt(described);
  }
  const isJailed = jail.driver !== 'none';
  const taken = readWirePlugin(
    described,
    (tool, method) => remoteMethod(process, tool, method),
    (target) =>
      (...given) =>
        process.run(target, given),
  );
  const made =
    typeof taken === 'string'
      ? taken
      : createPluginFromExport(
          {
            ...taken,
            tools: taken.tools.map((tool) => withProcess(limitClaims(tool, options.granted, isJailed), process)),
          },
          options.fallback,
        );
  if (typeof made === 'string' || 'phase' in made) {
    void process.close();
    return typeof made === 'string' ? { phase: 'validate', message: made, file: entry } : { file: entry, ...made };
  }
  if (made.hooks && options.granted.hooks !== true) {
    void process.close();
    // Without its hooks, the user would rely on a guard that does not run.
    return {
      phase: 'isolate',
      file: entry,
      message: `it has hooks (${made.hooks.names.join(', ')}), which were not granted. Grant them (hooks: true), or trust it`,
    };
  }
  const missingGrants = explainMissingGrants(options.id, made.capabilities, options.granted, folderOf(options.path));
  return {
    ...made,
    isolation: isJailed ? 'jail' : 'process',
    ...(missingGrants !== undefined && { missingGrants }),
    described,
    dispose: () => process.close(),
  };
}

/** Starts a process for a plugin that will probably be loaded soon, without loading anything yet. */
export async function prepareIsolated(
  options: Pick<IsolatedOptions, 'id' | 'path' | 'granted' | 'jail' | 'heapMegabytes' | 'bases' | 'parts'>,
  isSpare = false,
): Promise<void> {
  // Warnings are reported when the plugin is loaded.
  const jail = await findJail(options.jail, () => {});
  if ('problem' in jail) return;
  try {
    const own = ownPlaces(options.path);
    const plan = await planOf(options, own, jail);
    if (typeof plan !== 'object') return;
    options.parts.processPool.prepare(options.id, plan, fingerprintPaths(own), isSpare);
    plan.release();
  } catch {
    // The files are being replaced right now.
  }
}

async function findJail(
  policy: IsolatedOptions['jail'],
  onWarning: (message: string) => void,
): Promise<Jail | { readonly problem: string }> {
  const jail = await createJail({ policy, onWarning });
  if (jail.ok) return jail;
  return { problem: `it is not trusted, and ${jail.message}. Trust it, or let plugins run without a jail` };
}

/** Plans the plugin's process. Returns a string if its grants can't be used. */
async function planOf(
  {
    path,
    granted,
    arePlacesReal,
    heapMegabytes,
    bases,
  }: Pick<IsolatedOptions, 'path' | 'granted' | 'arePlacesReal' | 'heapMegabytes' | 'bases'>,
  own: readonly string[],
  jail: Jail,
): Promise<LaunchPlan | string> {
  const folder = folderOf(path);
  const reach = granted.fs
    ? await planFileAccess(folder, granted.fs, jail.driver !== 'none', arePlacesReal)
    : noFileAccess;
  return typeof reach === 'string' ? reach : planLaunch({ folder, own, granted, reach, jail, heapMegabytes, bases });
}

/** Returns the folder to which the paths of a plugin's capabilities are relative. */
function folderOf(path: string): string {
  return realpathSync(statSync(path).isDirectory() ? path : dirname(path));
}

/** Returns a method that runs in the plugin's process. Methods that must return immediately can't run there. */
function remoteMethod(process: PluginSupervisor, tool: number, method: string): Method | undefined {
  if (method === 'execute' || method === 'check')
    return (args, context) => process.call(tool, method, args, context as ToolContext);
  if (method === 'available') return () => process.call(tool, method, undefined);
  if (method === 'onFailure') return (result, args) => process.reportFailure(tool, result as ToolResult, args);
  return undefined;
}

/**
 * Makes a tool available only while its process runs or can be started. The tool's own `available` counts while the
 * process runs.
 */
function withProcess(tool: TakenTool, process: PluginSupervisor): TakenTool {
  const own = tool.methods.available;
  const available = (): unknown => {
    const answer = process.availability();
    return answer === true && own && process.isRunning ? own() : answer;
  };
  return { ...tool, methods: { ...tool.methods, available } };
}

/**
 * Fingerprints files and folders by device and inode. A jail shows the original file even after its path was replaced.
 */
export function fingerprintPaths(places: readonly string[]): string {
  return places
    .map((place) => {
      const { dev = 0, ino = 0 } = statSync(place, { throwIfNoEntry: false }) ?? {};
      return `${dev}:${ino}`;
    })
    .join();
}

/** Returns the paths that a plugin may read: its own file or folder, and the names beside it that begin with `_`. */
function ownPlaces(path: string): readonly string[] {
  return [realpathSync(path), ...sharedDirectories(dirname(path))];
}
