import { existsSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, sep } from 'node:path';
import {
  silentLogger,
  type AnyTool,
  type DispatchMiddleware,
  type Prompt,
  type Resource,
  type RestoreReport,
  type ToolProvider,
  type TurnHooks,
} from '@haft/core';
import { lifecycleProvider } from '@haft/core/registry';
import { describeCause } from '@haft/core/results';
import { createHookPipeline } from '@haft/core/hooks';
import { decidesEntry, isModuleFile, pluginIdOf } from '../plugin/definition/find-plugin.ts';
import { createIdlePool } from '../isolation/process/idle-pool.ts';
import { createSemaphore } from '../isolation/process/semaphore.ts';
import { createTypeStripper } from '../isolation/stripper/type-stripper.ts';
import { createProcessPool } from '../isolation/process/process-pool.ts';
import { checkLoaderArguments, checkLoaderOptions, type PluginLoaderOptions } from './loader-options.ts';
import { logEvent } from './log-event.ts';
import { createLifecycleTools } from './plugin-lifecycle-tools.ts';
import { realPath } from './slot/load-slot.ts';
import { createPluginRegistrar } from './plugin-registrar.ts';
import { PluginError } from '../plugin-error.ts';
import type { PluginEvent, PluginInfo } from '../plugin-report.ts';
import { createPluginStates } from './plugin-states.ts';
import { reportPlugins } from './report-plugins.ts';
import { createSlot, infoOf, isKnown, pluginProvider, type PluginSlot } from './slot/plugin-slot.ts';
import { createSlotWorker } from './slot/slot-worker.ts';
import { watchFolder, type FolderWatch } from './watch-folder.ts';

/** Keeps a registry in sync with a folder of plugins. */
export interface PluginLoader extends ToolProvider {
  /** Starts the loader. Resolves when every plugin that existed at the start is loaded or was reported as failed. */
  readonly ready: Promise<void>;
  /** Every plugin, sorted by id. */
  plugins(): readonly PluginInfo[];
  /** Starts the loader. Resolves to a report about the plugins in the folder and those in the catalog. */
  restore(): Promise<RestoreReport>;
  /** The prompts of all loaded plugins, sorted by name. They change together with the tools of their plugin. */
  prompts(): readonly Prompt[];
  /** The resources of all loaded plugins, sorted by URI. They change together with the tools of their plugin. */
  resources(): readonly Resource[];
  /**
   * The hooks of all currently loaded plugins. Pass them as `middleware` to the dispatcher that runs the calls, and as
   * `turnHooks` to the agent loop.
   */
  readonly hooks: DispatchMiddleware & TurnHooks;
  /**
   * Reloads a plugin, whether or not it has changed. Resolves to its new state, or to `undefined` for an unknown id.
   */
  reload(id: string): Promise<PluginInfo | undefined>;
  /** Calls the listener with each later event. Returns a function that unsubscribes it. */
  onEvent(listener: (event: PluginEvent) => void): () => void;
  /** Stops watching, unregisters the tools of all plugins and the lifecycle tools, and disposes of the plugins. */
  stop(): Promise<void>;
}

const disposeTimeoutMs = 5_000;
/** Maximum number of idle plugin processes. */
const maxIdle = 8;

/**
 * Creates a loader. Does nothing before `start()`, `ready` or {@link loadPlugins}.
 *
 * If the folder does not exist yet, the loader waits for it and emits `directory-missing`.
 *
 * @throws PluginError `NODE_TOO_OLD` before Node 22.22. `INVALID_OPTION` without a registry, for a `directory` that is a file, and for any other invalid
 * option. `start()` and `ready` reject with `LOADER_EXISTS` if the registry already has a loader.
 * @example
 * import { ToolRegistry } from '@haft/core';
 * import { createPluginLoader } from '@haft/dynamic-tools';
 * const loader = createPluginLoader({ directory: 'plugins', registry: new ToolRegistry() });
 * loader.plugins(); // => []
 * await loader.stop();
 */
export function createPluginLoader(options: PluginLoaderOptions): PluginLoader {
  const { registry, hostPackages = ['zod'], loadTimeoutMs = 5_000, settleMs = 30, drainTimeoutMs = 120_000 } = options;
  const directory = checkLoaderOptions(options);
  const logger = options.logger ?? silentLogger;
  const listeners = new Set<(event: PluginEvent) => void>([(event) => logEvent(event, logger)]);
  if (options.onEvent) listeners.add(options.onEvent);
  const closed = new AbortController();
  let folder: FolderWatch | undefined;
  let starting: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  let isFirstScan = true;
  let stopHearing: (() => void) | undefined;

  const emit = (event: PluginEvent): void => {
    for (const listener of listeners) {
      try {
        listener(event);
      } catch {
        // Exceptions of a listener are ignored.
      }
    }
  };
  const plugins = (): readonly PluginInfo[] =>
    [...pluginRegistrar.slots.values()]
      .filter(isKnown)
      .map(infoOf)
      .sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const lifecycleTools: readonly AnyTool[] = createLifecycleTools({
    plugins,
    reload,
    hasFolder: () => existsSync(directory),
  });
  const pluginRegistrar = createPluginRegistrar({
    registry,
    lifecycleTools,
    mayShadow: options.mayShadow ?? [],
    limits: { drainTimeoutMs, disposeTimeoutMs },
    emit,
    shorten: (text) => shortenPaths(text, directory),
  });
  const states = createPluginStates(options, {
    changed: wakeById,
    failed: (message) => emit({ type: 'watch-failed', message }),
  });
  const limits = {
    unresponsiveMs: options.unresponsiveMs ?? 10_000,
    maxMemoryBytes: (options.maxMemoryMegabytes ?? 512) * 1024 * 1024,
  };
  const parts = {
    processPool: createProcessPool(limits),
    idlePool: createIdlePool(maxIdle),
    semaphore: createSemaphore(Math.max(2, availableParallelism())),
    stripper: createTypeStripper(),
  };
  const worker = createSlotWorker({
    parts,
    settleMs,
    loadTimeoutMs,
    disposeTimeoutMs,
    hostPackages,
    signal: closed.signal,
    jail: options.jail ?? 'required',
    isolationOf: states.isolationOf,
    grantsOf: states.grantsOf,
    isEnabled: states.isEnabled,
    isFolderTrusted: options.isolation === 'inline',
    ...(options.catalog && { definitions: options.catalog.definitions }),
    onStale(slot) {
      slot.isTouched = slot.isUncertain = true;
      void worker.wake(slot, true);
    },
    idleTimeoutMs: options.idleTimeoutMs ?? 300_000,
    limits,
    heapMegabytes: Math.ceil((options.maxMemoryMegabytes ?? 512) / 2),
    logger,
    onCrash: (slot, reason, retryAfterMs) =>
      emit({ type: 'crashed', id: slot.id, reason: shortenPaths(reason, directory), retryAfterMs }),
    onOutcome(slot, outcome) {
      watchOutside(slot);
      const isGone = outcome === 'absent' || ('phase' in outcome && outcome.phase === 'disabled');
      if (isGone) parts.processPool.drop(slot.id);
      if (outcome === 'absent') pluginRegistrar.remove(slot);
      else if ('phase' in outcome && isGone) pluginRegistrar.suspend(slot, outcome);
      else if ('phase' in outcome) pluginRegistrar.fail(slot, outcome, slot.isTouched);
      else pluginRegistrar.serve(slot, outcome.plugin, outcome.entry, isFirstScan);
      slot.isTouched = false;
      wakeUnblocked();
    },
  });

  /** Applies changed settings of a plugin in the catalog. */
  function wakeById(id: string): void {
    for (const slot of pluginRegistrar.slots.values()) {
      if (slot.id !== id) continue;
      slot.isTouched = true;
      void worker.wake(slot, true);
    }
  }

  function wakeUnblocked(): void {
    for (const slot of pluginRegistrar.unblocked()) void worker.wake(slot);
  }

  /** Watches files outside the folder that a plugin imports, one by one. */
  function watchOutside(slot: PluginSlot): void {
    for (const file of slot.files)
      if (relative(realPath(directory), file).startsWith('..') && !isFolder(file)) folder?.add(file);
  }

  function onFolderEvent(event: string, path: string): void {
    const real = realPath(path);
    const segment = relative(directory, path).split(sep)[0] ?? '';
    const touched = new Set<PluginSlot>();
    for (const slot of pluginRegistrar.slots.values()) {
      const isImported = slot.files.has(real) || slot.files.has(path);
      // This may be the file that an import did not find.
      const mayBeMissing = event === 'add' && slot.failure?.phase === 'import';
      if (isImported) slot.isTouched = true;
      if (isImported || mayBeMissing) touched.add(slot);
    }
    const own =
      segment === '' || segment === '..' || segment.startsWith('_') ? undefined : ownSlot(event, path, segment);
    if (own) {
      own.isTouched = true;
      touched.add(own);
    }
    for (const slot of touched) void worker.wake(slot);
  }

  /** Returns the plugin that a path belongs to, if a change of the path can affect it. */
  function ownSlot(event: string, path: string, segment: string): PluginSlot | undefined {
    const isTop = path === join(directory, segment);
    const known = pluginRegistrar.slots.get(segment);
    if (!known && isTop && !isModuleFile(segment) && event !== 'addDir') return undefined;
    const slot = known ?? createSlot(segment, join(directory, segment), pluginIdOf(segment));
    pluginRegistrar.slots.set(segment, slot);
    const goneBelow = event === 'unlinkDir' && [...slot.files].some((file) => file.startsWith(`${path}${sep}`));
    return isTop || !slot.current || slot.failure !== undefined || decidesEntry(path) || goneBelow ? slot : undefined;
  }

  async function reload(id: string): Promise<PluginInfo | undefined> {
    const slot = [...pluginRegistrar.slots.values()].find((candidate) => candidate.id === id && isKnown(candidate));
    if (!slot || closing) return undefined;
    slot.isTouched = slot.isUncertain = true;
    await worker.wake(slot, true);
    return pluginRegistrar.slots.get(slot.segment) === slot ? infoOf(slot) : undefined;
  }

  async function start(): Promise<void> {
    if (lifecycleTools.some((tool) => registry.providerFor(tool.name) === lifecycleProvider)) {
      throw new PluginError(
        'LOADER_EXISTS',
        'this registry has a plugin loader already; stop it first, or put all plugins into one folder',
      );
    }
    pluginRegistrar.open();
    await states.start();
    stopHearing = registry.onChange(wakeUnblocked);
    const onError = (error: unknown): void => emit({ type: 'watch-failed', message: describeCause(error) });
    if (!existsSync(directory)) {
      const message = 'the folder does not exist yet; its plugins load as soon as it is created';
      emit({ type: 'directory-missing', directory, message });
    }
    folder = watchFolder(directory, { onEvent: onFolderEvent, onError });
    await folder.ready;
    await worker.idle();
    isFirstScan = false;
  }

  async function close(): Promise<void> {
    closed.abort();
    parts.processPool.close();
    parts.stripper.close();
    const started = await starting?.then(
      () => true,
      () => false,
    );
    stopHearing?.();
    states.stop();
    await folder?.close();
    await worker.idle();
    if (started) await pluginRegistrar.close();
  }

  const startOnce = (): Promise<void> => (starting ??= start());
  const closeOnce = (): Promise<void> => (closing ??= close());
  const listen = (listener: (event: PluginEvent) => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    path: pluginProvider,
    lifecycleTools,
    start: startOnce,
    get ready() {
      return startOnce();
    },
    async restore() {
      await startOnce();
      return reportPlugins(plugins(), await states.remembered());
    },
    stop: closeOnce,
    plugins,
    prompts: pluginRegistrar.parts.prompts,
    resources: pluginRegistrar.parts.resources,
    hooks: createHookPipeline('plugin hooks', pluginRegistrar.parts.hooks, logger),
    reload,
    onEvent: listen,
    onChange: (listener) =>
      listen(({ type }) => {
        if (type === 'loaded' || type === 'replaced' || type === 'removed') listener();
      }),
  };
}

/** Creates a loader for a folder and starts it. Resolves when the first scan is done. */
export async function loadPlugins(
  directory: string,
  options: Omit<PluginLoaderOptions, 'directory'>,
): Promise<PluginLoader> {
  checkLoaderArguments(directory, options);
  const loader = createPluginLoader({ ...options, directory });
  await loader.ready;
  return loader;
}

/** A plugin's process may report such a path as an imported file. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Makes paths relative to the watched folder, so that models do not see paths of the host. */
function shortenPaths(text: string, directory: string): string {
  const bases = [...new Set([directory, realPath(directory)])].map((base) => `${base}${sep}`);
  const plain = text.replace(/\?haft-plugin=\d+/g, '').replaceAll('file://', '');
  return bases.reduce((rest, base) => rest.replaceAll(base, ''), plain);
}
