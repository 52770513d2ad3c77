import { realpathSync } from 'node:fs';
import { join, relative, resolve as resolvePath, sep } from 'node:path';
import { lifecycleProvider, type AnyTool, type ToolProvider, type ToolRegistry } from '@haft/core';
import { findPlugin, decidesEntry, pluginIdOf, isPluginFile } from './find-plugin.ts';
import { importPlugin } from './import-plugin.ts';
import { createLifecycleTools } from './lifecycle-tools.ts';
import { createModuleVersion } from './module-versions.ts';
import { findNameConflict } from './name-conflicts.ts';
import { PluginError } from './plugin-error.ts';
import type { LoadProblem, PluginEvent, PluginInfo } from './plugin-report.ts';
import { createSlot, infoOf, type PluginSlot } from './plugin-slot.ts';
import { createPluginVersion, disposeOf } from './plugin-version.ts';
import { readPlugin, type ReadPlugin } from './read-plugin.ts';
import { printFiles } from './settled-files.ts';
import { watchFolder, type FolderWatch } from './watch-folder.ts';

/** What {@link createPluginLoader} takes. */
export interface PluginLoaderOptions {
  /** The folder whose files and folders are plugins; it may come into being later. */
  readonly dir: string;
  readonly registry: ToolRegistry;
  /**
   * Must be `'inline'`: every plugin runs inside this program's own process, with everything this program may do, so
   * that only code that you would put into the program itself belongs into the folder.
   */
  readonly isolation: 'inline';
  /** Hears what happens. What it throws is dropped. */
  readonly onEvent?: (event: PluginEvent) => void;
  /** Names of built-in or own tools that plugins may put theirs in front of; default none. Lifecycle tools never are. */
  readonly mayShadow?: readonly string[];
  /** Packages besides `@haft/*` that plugins may take from this program when they bring none; default `['zod']`. */
  readonly hostPackages?: readonly string[];
  /** Milliseconds a plugin's modules may take to load; default 5,000. */
  readonly loadTimeoutMs?: number;
  /** Milliseconds without a write after which a plugin's files are read; default 30. */
  readonly settleMs?: number;
  /** Milliseconds that running calls of an old version may take before it is disposed of all the same; default 120,000. */
  readonly drainTimeoutMs?: number;
}

/** Keeps a registry in step with a folder of plugins. */
export interface PluginLoader extends ToolProvider {
  /** Starts, and resolves when every plugin that was there at the start is served or has been reported as failed. */
  readonly ready: Promise<void>;
  /** Every plugin, sorted by id. */
  plugins(): readonly PluginInfo[];
  /** Loads a plugin again, changed or not; resolves to what it is then, or `undefined` when there is none of this id. */
  reload(id: string): Promise<PluginInfo | undefined>;
  /** Hears what happens from now on; returns how to stop listening. */
  onEvent(listener: (event: PluginEvent) => void): () => void;
  /** Stops watching, takes all plugins' tools and the lifecycle tools out of the registry, and disposes of the plugins. */
  close(): Promise<void>;
}

const providerRoot = 'dynamic/plugin';
const idPattern = /^[A-Za-z0-9@][A-Za-z0-9._@-]{0,63}$/;
const disposeTimeoutMs = 5_000;
/** Files that never settle are read all the same after this many waits. */
const maxWaits = 40;

/**
 * Makes a loader; nothing happens before `start()`, `ready` or {@link loadPlugins}.
 *
 * @throws PluginError `INVALID_OPTION` without an explicit `isolation: 'inline'`; `LOADER_EXISTS` when the registry has a
 * loader already.
 */
export function createPluginLoader(options: PluginLoaderOptions): PluginLoader {
  const {
    registry,
    mayShadow = [],
    hostPackages = ['zod'],
    loadTimeoutMs = 5_000,
    settleMs = 30,
    drainTimeoutMs = 120_000,
  } = options;
  if ((options as { readonly isolation?: unknown }).isolation !== 'inline') {
    throw new PluginError(
      'INVALID_OPTION',
      "createPluginLoader needs isolation: 'inline', which says that plugins run inside this process with all its rights",
    );
  }
  if (typeof options.dir !== 'string' || options.dir === '')
    throw new PluginError('INVALID_OPTION', 'createPluginLoader needs dir, the folder to watch');
  const dir = resolvePath(options.dir);
  const slots = new Map<string, PluginSlot>();
  const listeners = new Set<(event: PluginEvent) => void>(options.onEvent ? [options.onEvent] : []);
  const endings = new Set<Promise<unknown>>();
  const closed = new AbortController();
  let folder: FolderWatch | undefined;
  let starting: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  let scanning = true;

  const emit = (event: PluginEvent): void => {
    for (const listener of listeners) {
      try {
        listener(event);
      } catch {
        // A listener's failure is its own.
      }
    }
  };

  const lifecycleTools: readonly AnyTool[] = createLifecycleTools({
    plugins: () => sortedSlots().map(infoOf),
    reload: (id) => loader.reload(id),
  });
  const reserved = lifecycleTools.map((tool) => tool.name);

  function sortedSlots(): readonly PluginSlot[] {
    return [...slots.values()]
      .filter((slot) => slot.current ?? slot.failure)
      .sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  }

  /** One batch: the tools a provider has from now on, and the lifecycle tools after them. */
  function register(provider: string, tools: readonly AnyTool[]): void {
    registry.batch((draft) => {
      draft.clear(provider);
      for (const tool of tools) draft.registerWithProvider(tool, provider);
      for (const tool of lifecycleTools) draft.unregister(tool.name, lifecycleProvider);
      for (const tool of lifecycleTools) draft.registerWithProvider(tool, lifecycleProvider);
    });
  }

  /** Watching paths are as the user wrote them; modules are known by their real paths. */
  function realPath(path: string): string {
    try {
      return realpathSync(path);
    } catch {
      return path;
    }
  }

  function slotOf(segment: string): PluginSlot {
    const known = slots.get(segment);
    if (known) return known;
    const id = pluginIdOf(segment);
    const slot = createSlot(segment, join(dir, segment), id, `${providerRoot}/${id}`);
    slots.set(segment, slot);
    return slot;
  }

  function hear(event: string, path: string): void {
    const below = relative(dir, path);
    const segment = below.split(sep)[0] ?? '';
    const inside = segment !== '' && segment !== '..';
    const real = realPath(path);
    for (const slot of slots.values()) if (slot.files.has(real) || slot.files.has(path)) void schedule(slot);
    if (!inside || segment.startsWith('_')) return;
    const isTop = below === segment;
    const known = slots.get(segment);
    if (!known && isTop && event === 'add' && !isPluginFile(segment)) return;
    const slot = slotOf(segment);
    const goneBelow = event === 'unlinkDir' && [...slot.files].some((file) => file.startsWith(`${path}${sep}`));
    const concerns = isTop || !slot.current || slot.failure !== undefined || decidesEntry(path) || goneBelow;
    if (concerns) void schedule(slot);
  }

  function schedule(slot: PluginSlot): Promise<void> {
    slot.due = true;
    slot.lastEventAt = Date.now();
    if (closing) return Promise.resolve();
    slot.working ??= work(slot).finally(() => {
      slot.working = undefined;
      if (slot.due && !closing) void schedule(slot);
    });
    return slot.working;
  }

  async function work(slot: PluginSlot): Promise<void> {
    while (slot.due && !closed.signal.aborted) {
      slot.due = false;
      const print = await settle(slot);
      if (slot.due || closing) continue;
      try {
        await load(slot, print);
      } catch (error) {
        fail(slot, {
          phase: 'import',
          message: `loading it failed: ${error instanceof Error ? error.message : String(error)}`,
        });
      }
    }
  }

  /** Waits until nothing has been written for a while; the print tells what was there. */
  async function settle(slot: PluginSlot): Promise<string> {
    for (let waits = 0; ; waits += 1) {
      const { print, newest, hasEmpty } = await printFiles(slot.path);
      const now = Date.now();
      const age = scanning ? now - newest : Math.min(now - slot.lastEventAt, now - newest);
      // A clock that runs ahead would make files look unwritten for ever.
      const quiet = age >= settleMs || age < -1_000;
      if ((quiet && !hasEmpty) || waits >= maxWaits || closing) return print;
      await new Promise((resolve) =>
        setTimeout(resolve, hasEmpty ? settleMs : Math.max(1, settleMs - Math.max(0, age))),
      );
    }
  }

  async function load(slot: PluginSlot, print: string): Promise<void> {
    const found = await findPlugin(slot.path);
    if (found === 'absent') return remove(slot);
    if (!idPattern.test(slot.id)) {
      return fail(slot, {
        phase: 'discover',
        message: `its name can't be a plugin id; expected letters, digits, ".", "_" or "-", such as "weather"`,
      });
    }
    if ('phase' in found) return fail(slot, found);
    const version = createModuleVersion(realPath(found.entry), hostPackages);
    const imported = await importPlugin(version, loadTimeoutMs, closed.signal);
    slot.files = new Set(version.files);
    for (const file of version.files) if (relative(dir, file).startsWith('..')) folder?.add(file);
    if (closing) return;
    if ((await printFiles(slot.path)).print !== print) {
      // Written while it was loaded: what came in may be half of each.
      slot.due = true;
      return;
    }
    if ('phase' in imported) return fail(slot, imported);
    const plugin = readPlugin(imported.exported, { ...found, name: found.name ?? slot.id });
    if ('phase' in plugin) return fail(slot, { file: found.entry, ...plugin });
    commit(slot, plugin, found.entry);
  }

  function commit(slot: PluginSlot, plugin: ReadPlugin, entry: string): void {
    const twin = [...slots.values()].find((other) => other !== slot && other.id === slot.id && other.current);
    if (twin) return refuse(slot, plugin, twin.provider, `${twin.segment} has the same id`, entry);
    for (;;) {
      const conflict = findNameConflict(
        registry,
        slot.provider,
        plugin.tools.map((tool) => tool.name),
        reserved,
        mayShadow,
      );
      if (!conflict) break;
      const rival = [...slots.values()].find((other) => other.provider === conflict.holder && other.current);
      const reason = `the tool name ${conflict.name} is taken by ${conflict.holder}`;
      // At the start, who comes first is chance: the names go to the plugin whose id sorts first.
      if (!rival || !scanning || rival.id < slot.id) return refuse(slot, plugin, conflict.holder, reason, entry);
      withdraw(rival);
      rival.blockedBy = slot.provider;
      fail(rival, { phase: 'register', message: `the tool name ${conflict.name} is taken by ${slot.provider}` });
    }
    const before = slot.current;
    const version = createPluginVersion(plugin, slot.revision + 1, { drainTimeoutMs, disposeTimeoutMs }, (name) =>
      slot.current?.plugin.tools.find((tool) => tool.name === name),
    );
    try {
      register(slot.provider, version.tools);
    } catch (error) {
      return refuse(slot, plugin, '', error instanceof Error ? error.message : String(error), entry);
    }
    slot.revision += 1;
    slot.current = version;
    slot.failure = undefined;
    slot.blockedBy = undefined;
    emit({ type: before ? 'replaced' : 'loaded', plugin: infoOf(slot) });
    if (before) {
      retire(slot, before);
      const gone = before.tools.some((tool) => !version.tools.some((other) => other.name === tool.name));
      if (gone) unblock(slot.provider);
    }
  }

  /** A version that was loaded but may not serve: what it started is ended. */
  function refuse(slot: PluginSlot, plugin: ReadPlugin, holder: string, message: string, file: string): void {
    slot.blockedBy = holder;
    track(disposeOf(plugin, disposeTimeoutMs));
    fail(slot, { phase: 'register', message, file });
  }

  function fail(slot: PluginSlot, problem: LoadProblem): void {
    const { phase, message, file = '', line = 0 } = problem;
    if (phase !== 'register') slot.blockedBy = undefined;
    const failure = { id: slot.id, phase, message: withoutPaths(message), file: shorten(file), line };
    if (phase !== 'dispose') slot.failure = failure;
    emit({ type: 'failed', failure, serving: slot.current !== undefined });
  }

  /** Paths relative to the watched folder: what a model may read holds none of the host's. */
  function shorten(file: string): string {
    if (file === '') return '';
    const below = [dir, realPath(dir)].map((base) => relative(base, file)).find((path) => !path.startsWith('..'));
    return (below ?? file).replaceAll('\\', '/');
  }

  function withoutPaths(message: string): string {
    let text = message.replace(/\?haft-plugin=\d+/g, '').replaceAll('file://', '');
    for (const base of [dir, realPath(dir)]) text = text.replaceAll(`${base}${sep}`, '');
    return text.length > 1_000 ? `${text.slice(0, 1_000)}…` : text;
  }

  function remove(slot: PluginSlot): void {
    slots.delete(slot.segment);
    const known = slot.current !== undefined || slot.failure !== undefined;
    withdraw(slot);
    slot.failure = undefined;
    if (known) emit({ type: 'removed', id: slot.id });
    unblock(slot.provider);
  }

  /** Takes a plugin's tools out of the registry and its version out of service. */
  function withdraw(slot: PluginSlot): void {
    const { current } = slot;
    if (!current) return;
    slot.current = undefined;
    register(slot.provider, []);
    retire(slot, current);
  }

  function retire(slot: PluginSlot, version: NonNullable<PluginSlot['current']>): void {
    const end = async (): Promise<void> => {
      const problem = await version.retire();
      if (problem !== undefined) fail(slot, { phase: 'dispose', message: problem });
      emit({ type: 'disposed', id: slot.id, revision: version.revision });
    };
    track(end());
  }

  function track(ending: Promise<unknown>): void {
    const tracked: Promise<unknown> = ending.finally(() => endings.delete(tracked));
    endings.add(tracked);
  }

  /** Gives those a new chance whose names were taken by somebody who is gone. */
  function unblock(holder: string): void {
    for (const slot of slots.values()) if (slot.blockedBy === holder) void schedule(slot);
  }

  async function start(): Promise<void> {
    if (lifecycleTools.some((tool) => registry.providerFor(tool.name) === lifecycleProvider)) {
      throw new PluginError(
        'LOADER_EXISTS',
        'this registry has a plugin loader already; close it first, or put both folders into one',
      );
    }
    register(providerRoot, []);
    folder = watchFolder(dir, {
      onEvent: hear,
      onError: (error) =>
        emit({ type: 'watch-failed', message: error instanceof Error ? error.message : String(error) }),
    });
    await folder.ready;
    await Promise.all([...slots.values()].map(async (slot) => slot.working));
    scanning = false;
  }

  async function close(): Promise<void> {
    closed.abort();
    await starting?.catch(() => undefined);
    await folder?.close();
    await Promise.all([...slots.values()].map(async (slot) => slot.working));
    const served = [...slots.values()].filter((slot) => slot.current);
    registry.batch((draft) => {
      for (const slot of served) draft.clear(slot.provider);
      for (const tool of lifecycleTools) if (starting) draft.unregister(tool.name, lifecycleProvider);
    });
    for (const slot of served) {
      const { current } = slot;
      slot.current = undefined;
      if (current) retire(slot, current);
    }
    await Promise.all(endings);
    slots.clear();
  }

  const loader: PluginLoader = {
    path: providerRoot,
    lifecycleTools,
    start: () => (starting ??= start()),
    get ready() {
      return loader.start();
    },
    stop: () => loader.close(),
    close: () => (closing ??= close()),
    plugins: () => sortedSlots().map(infoOf),
    async reload(id) {
      const slot = [...slots.values()].find(
        (candidate) => candidate.id === id && (candidate.current ?? candidate.failure),
      );
      if (!slot || closing) return undefined;
      await schedule(slot);
      return slots.get(slot.segment) === slot ? infoOf(slot) : undefined;
    },
    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onChange(listener) {
      const hearChange = (event: PluginEvent): void => {
        if (event.type === 'loaded' || event.type === 'replaced' || event.type === 'removed') listener();
      };
      listeners.add(hearChange);
      return () => listeners.delete(hearChange);
    },
  };
  return loader;
}

/** Makes a loader for a folder, starts it, and resolves when the first scan is done. */
export async function loadPlugins(dir: string, options: Omit<PluginLoaderOptions, 'dir'>): Promise<PluginLoader> {
  const loader = createPluginLoader({ ...options, dir });
  await loader.ready;
  return loader;
}
