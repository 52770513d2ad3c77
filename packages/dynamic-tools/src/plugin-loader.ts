import { existsSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, resolve as resolvePath, sep } from 'node:path';
import {
  describeCause,
  lifecycleProvider,
  silentLogger,
  type AnyTool,
  type Logger,
  type ToolProvider,
  type ToolRegistry,
} from '@haft/core';
import { readCapabilities, type PluginCapabilities } from './capabilities.ts';
import { decidesEntry, isPluginFile, pluginIdOf } from './find-plugin.ts';
import { createIdleBench } from './isolation/idle-bench.ts';
import { createTurnstile } from './isolation/turnstile.ts';
import { createWarmStarts } from './isolation/warm-starts.ts';
import { createLifecycleTools } from './lifecycle-tools.ts';
import { realPath } from './load-slot.ts';
import { createPluginBoard } from './plugin-board.ts';
import { PluginError } from './plugin-error.ts';
import type { PluginEvent, PluginInfo } from './plugin-report.ts';
import { createSlot, infoOf, isKnown, pluginProvider, type PluginSlot } from './plugin-slot.ts';
import { createSlotWorker } from './slot-worker.ts';
import { watchFolder, type FolderWatch } from './watch-folder.ts';

/** What {@link createPluginLoader} takes. */
export interface PluginLoaderOptions {
  /** The folder whose files and folders are plugins; it may come into being later. */
  readonly dir: string;
  readonly registry: ToolRegistry;
  /**
   * Where plugins run. Default `process`: each in a process of its own, limited to what `grants` gives it. `inline`: in this
   * program's own process, with everything this program may do, so that only code that you would put into the program
   * itself belongs into the folder.
   */
  readonly isolation?: 'process' | 'inline';
  /** Ids of plugins that run inline all the same. */
  readonly trusted?: readonly string[];
  /**
   * Whether a plugin's process has to be in a jail of the operating system. Default `required`: where none can be had,
   * plugins that are not trusted are refused, since Node's own limits stop neither the network nor links that lead
   * elsewhere. `preferred` does without where it must; `off` always does.
   */
  readonly jail?: 'required' | 'preferred' | 'off';
  /** What plugins in processes of their own may do, by id; default nothing but to read their own files. */
  readonly grants?: Readonly<Record<string, PluginCapabilities>>;
  /** Milliseconds without a call after which a plugin's process is ended until the next one; default 300,000. */
  readonly idleTimeoutMs?: number;
  /** Milliseconds without a sign of life, once it is loaded, after which a plugin's process is ended; default 10,000. */
  readonly unresponsiveMs?: number;
  /** Megabytes that a plugin's process may hold (Linux), called or not; default 512. */
  readonly maxMemoryMegabytes?: number;
  /** Takes what plugins log, and what they print in processes of their own; `data.plugin` is the id. Default: nobody does. */
  readonly logger?: Logger;
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

const disposeTimeoutMs = 5_000;
/** Processes of plugins that are kept although nobody calls them, at most. */
const mostIdle = 8;
/** What a timer of Node can wait at most. */
const longestMs = 2 ** 31 - 1;

/**
 * Makes a loader; nothing happens before `start()`, `ready` or {@link loadPlugins}.
 *
 * A folder that does not exist yet is waited for, and `folder-missing` says so.
 *
 * @throws PluginError `INVALID_OPTION` without a registry, for a `dir` that is a file, and for other options that can't be
 * followed. `start()` and `ready` reject with
 * `LOADER_EXISTS` when the registry has a loader already.
 */
export function createPluginLoader(options: PluginLoaderOptions): PluginLoader {
  const { registry, hostPackages = ['zod'], loadTimeoutMs = 5_000, settleMs = 30, drainTimeoutMs = 120_000 } = options;
  const dir = checkOptions(options);
  const listeners = new Set<(event: PluginEvent) => void>(options.onEvent ? [options.onEvent] : []);
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
        // A listener's failure is its own.
      }
    }
  };
  const plugins = (): readonly PluginInfo[] =>
    [...board.slots.values()]
      .filter(isKnown)
      .map(infoOf)
      .sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const lifecycleTools: readonly AnyTool[] = createLifecycleTools({ plugins, reload });
  const board = createPluginBoard({
    registry,
    lifecycleTools,
    mayShadow: options.mayShadow ?? [],
    limits: { drainTimeoutMs, disposeTimeoutMs },
    emit,
    shorten: (text) => shortenPaths(text, dir),
  });
  const limits = {
    unresponsiveMs: options.unresponsiveMs ?? 10_000,
    maxMemoryBytes: (options.maxMemoryMegabytes ?? 512) * 1024 * 1024,
  };
  const parts = {
    warm: createWarmStarts(limits),
    bench: createIdleBench(mostIdle),
    turnstile: createTurnstile(Math.max(2, availableParallelism())),
  };
  const worker = createSlotWorker({
    parts,
    settleMs,
    loadTimeoutMs,
    disposeTimeoutMs,
    hostPackages,
    signal: closed.signal,
    jail: options.jail ?? 'required',
    isolationOf: (id) => (options.trusted?.includes(id) ? 'inline' : (options.isolation ?? 'process')),
    grantsOf: (id) => options.grants?.[id] ?? {},
    idleTimeoutMs: options.idleTimeoutMs ?? 300_000,
    limits,
    heapMegabytes: Math.ceil((options.maxMemoryMegabytes ?? 512) / 2),
    logger: options.logger ?? silentLogger,
    onCrash: (slot, reason, retryInMs) =>
      emit({ type: 'crashed', id: slot.id, reason: shortenPaths(reason, dir), retryInMs }),
    onOutcome(slot, outcome) {
      watchOutside(slot);
      if (outcome === 'absent') board.remove(slot);
      else if ('phase' in outcome) board.fail(slot, outcome, slot.isTouched);
      else board.serve(slot, outcome.plugin, outcome.entry, isFirstScan);
      slot.isTouched = false;
      wakeUnblocked();
    },
  });

  function wakeUnblocked(): void {
    for (const slot of board.unblocked()) void worker.wake(slot);
  }

  /** Files that a plugin imports from outside of the folder are watched one by one. */
  function watchOutside(slot: PluginSlot): void {
    for (const file of slot.files)
      if (relative(realPath(dir), file).startsWith('..') && !isFolder(file)) folder?.add(file);
  }

  function hear(event: string, path: string): void {
    const real = realPath(path);
    const segment = relative(dir, path).split(sep)[0] ?? '';
    const touched = new Set<PluginSlot>();
    for (const slot of board.slots.values()) {
      const isImported = slot.files.has(real) || slot.files.has(path);
      // Perhaps the file that an import did not find.
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

  /** The plugin that a path belongs to, when what happened there can matter to it. */
  function ownSlot(event: string, path: string, segment: string): PluginSlot | undefined {
    const isTop = path === join(dir, segment);
    const known = board.slots.get(segment);
    if (!known && isTop && !isPluginFile(segment) && event !== 'addDir') return undefined;
    const slot = known ?? createSlot(segment, join(dir, segment), pluginIdOf(segment));
    board.slots.set(segment, slot);
    const goneBelow = event === 'unlinkDir' && [...slot.files].some((file) => file.startsWith(`${path}${sep}`));
    return isTop || !slot.current || slot.failure !== undefined || decidesEntry(path) || goneBelow ? slot : undefined;
  }

  async function reload(id: string): Promise<PluginInfo | undefined> {
    const slot = [...board.slots.values()].find((candidate) => candidate.id === id && isKnown(candidate));
    if (!slot || closing) return undefined;
    slot.isTouched = true;
    await worker.wake(slot, true);
    return board.slots.get(slot.segment) === slot ? infoOf(slot) : undefined;
  }

  async function start(): Promise<void> {
    if (lifecycleTools.some((tool) => registry.providerFor(tool.name) === lifecycleProvider)) {
      throw new PluginError(
        'LOADER_EXISTS',
        'this registry has a plugin loader already; close it first, or put both folders into one',
      );
    }
    board.open();
    stopHearing = registry.onChange(wakeUnblocked);
    const onError = (error: unknown): void => emit({ type: 'watch-failed', message: describeCause(error) });
    if (!existsSync(dir)) {
      const message = 'there is no such folder yet; its plugins are loaded as soon as it is made';
      emit({ type: 'folder-missing', dir, message });
    }
    folder = watchFolder(dir, { onEvent: hear, onError });
    await folder.ready;
    await worker.idle();
    isFirstScan = false;
  }

  async function close(): Promise<void> {
    closed.abort();
    parts.warm.close();
    const started = await starting?.then(
      () => true,
      () => false,
    );
    stopHearing?.();
    await folder?.close();
    await worker.idle();
    if (started) await board.close();
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
    stop: closeOnce,
    close: closeOnce,
    plugins,
    reload,
    onEvent: listen,
    onChange: (listener) =>
      listen(({ type }) => {
        if (type === 'loaded' || type === 'replaced' || type === 'removed') listener();
      }),
  };
}

/** Makes a loader for a folder, starts it, and resolves when the first scan is done. */
export async function loadPlugins(dir: string, options: Omit<PluginLoaderOptions, 'dir'>): Promise<PluginLoader> {
  const loader = createPluginLoader({ ...options, dir });
  await loader.ready;
  return loader;
}

const timeOptions = [
  'loadTimeoutMs',
  'settleMs',
  'drainTimeoutMs',
  'idleTimeoutMs',
  'unresponsiveMs',
  'maxMemoryMegabytes',
] as const;

function checkOptions(options: PluginLoaderOptions): string {
  for (const name of timeOptions) {
    const given: unknown = options[name];
    if (given !== undefined && !(typeof given === 'number' && given > 0 && given <= longestMs))
      throw new PluginError('INVALID_OPTION', `${name} must be a number above 0, not ${describeCause(given)}`);
  }
  const refuse = (message: string): never => {
    throw new PluginError('INVALID_OPTION', message);
  };
  const { isolation, jail, trusted, grants } = options;
  if (![undefined, 'process', 'inline'].includes(isolation))
    refuse(`isolation must be 'process' or 'inline', not ${describeCause(isolation)}`);
  if (![undefined, 'required', 'preferred', 'off'].includes(jail))
    refuse(`jail must be 'required', 'preferred' or 'off', not ${describeCause(jail)}`);
  if (trusted !== undefined && !Array.isArray(trusted)) refuse('trusted must be a list of plugin ids');
  for (const [id, granted] of Object.entries(grants ?? {})) {
    const read = readCapabilities(granted);
    if (typeof read === 'string') refuse(`grants.${id}: ${read}`);
  }
  if (typeof options.dir !== 'string' || options.dir === '')
    throw new PluginError('INVALID_OPTION', 'a plugin loader needs dir, the folder to watch');
  if (!isRegistry(options.registry))
    throw new PluginError('INVALID_OPTION', 'a plugin loader needs registry, the ToolRegistry that gets the tools');
  const dir = resolvePath(options.dir);
  const stats = statSync(dir, { throwIfNoEntry: false });
  if (stats && !stats.isDirectory())
    throw new PluginError('INVALID_OPTION', `${options.dir} is no folder; expected the folder that plugins lie in`);
  return dir;
}

/** A plugin's process may name one as what it has imported. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function isRegistry(given: unknown): boolean {
  if (typeof given !== 'object' || given === null) return false;
  const { batch, onChange, providerFor } = given as Readonly<Record<string, unknown>>;
  return [batch, onChange, providerFor].every((method) => typeof method === 'function');
}

/** Paths relative to the watched folder: what a model may read holds none of the host's. */
function shortenPaths(text: string, dir: string): string {
  const bases = [...new Set([dir, realPath(dir)])].map((base) => `${base}${sep}`);
  const plain = text.replace(/\?haft-plugin=\d+/g, '').replaceAll('file://', '');
  return bases.reduce((rest, base) => rest.replaceAll(base, ''), plain);
}
